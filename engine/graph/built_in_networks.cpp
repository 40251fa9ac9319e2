// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/built_in_networks.h"

#include "engine/graph/resnet.h"

namespace peakscope::engine {

std::span<const BuiltInNetwork> builtInNetworks() {
  static constexpr BuiltInNetwork networks[] = {
      {"densenet121", densenet121},
      {"googlenet", googlenet},
      {"inception4", [] { return inception4(InceptionNorms::OnlyFirst); }},
      {"inception4-bn", [] { return inception4(InceptionNorms::Everywhere); }},
      {"resnet50",
       [] {
         return resnet({3, 4, 6, 3});
       }},
      {"resnet101",
       [] {
         return resnet({3, 4, 23, 3});
       }},
      {"resnet152",
       [] {
         return resnet({3, 8, 36, 3});
       }},
  };
  return networks;
}

}  // namespace peakscope::engine
