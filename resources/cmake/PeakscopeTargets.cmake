# SPDX-License-Identifier: Apache-2.0
# peakscope_options: what every target of ours shares. Includes are written from the root of the repository.
add_library(peakscope_options INTERFACE)
add_library(peakscope::options ALIAS peakscope_options)
target_compile_features(peakscope_options INTERFACE cxx_std_20)
target_include_directories(peakscope_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(peakscope_options INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers   # designated initializers leave defaults out on purpose
  -Wno-restrict -Wno-maybe-uninitialized   # gcc 12 warns falsely inside std::string and tl::expected
  -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${PEAKSCOPE_WERROR}>:-Werror>)
if(PEAKSCOPE_SANITIZE)
  # -O1 -g1: half the time to build, and reports still name file and line.
  target_compile_options(peakscope_options INTERFACE -fsanitize=${PEAKSCOPE_SANITIZE} -fno-omit-frame-pointer -O1 -g1)
  target_link_options(peakscope_options INTERFACE -fsanitize=${PEAKSCOPE_SANITIZE})
endif()

# peakscope_library(NAME memory SOURCES ... LINKS ... PUBLIC_LINKS ...): a shared library peakscope_memory, alias peakscope::memory.
function(peakscope_library)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LINKS;PUBLIC_LINKS" ${ARGN})
  add_library(peakscope_${ARG_NAME} SHARED ${ARG_SOURCES})
  add_library(peakscope::${ARG_NAME} ALIAS peakscope_${ARG_NAME})
  target_link_libraries(peakscope_${ARG_NAME} PUBLIC peakscope::options ${ARG_PUBLIC_LINKS} PRIVATE ${ARG_LINKS})
endfunction()
