# SPDX-License-Identifier: Apache-2.0
# DNNL::dnnl without dnnl's own config file, which demands OpenCL although the CPU backend does not use it.
find_library(PEAKSCOPE_DNNL_LIBRARY dnnl REQUIRED)
find_path(PEAKSCOPE_DNNL_INCLUDE oneapi/dnnl/dnnl.hpp REQUIRED)
if(NOT TARGET DNNL::dnnl)
  add_library(DNNL::dnnl UNKNOWN IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES
    IMPORTED_LOCATION "${PEAKSCOPE_DNNL_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${PEAKSCOPE_DNNL_INCLUDE}")
endif()
