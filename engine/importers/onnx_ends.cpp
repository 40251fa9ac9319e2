// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace peakscope::engine {
namespace {

auto no(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

constexpr std::int64_t usualBatch = 32;    ///< where the file leaves it open
constexpr std::int64_t usualSide = 224;

/// Inputs of a node that hold parameters or settings, never images.
bool isWeightSlot(const std::string& op, std::size_t k) {
  if (k == 0) return false;
  for (const char* known : {"Conv", "ConvTranspose", "Gemm", "MatMul", "BatchNormalization", "InstanceNormalization", "LayerNormalization", "GroupNormalization", "PRelu",
                            "Dropout", "Clip", "Reshape", "Pad", "Slice", "ReduceMean"})
    if (op == known) return true;
  return false;
}

/// Names that stand on weight slots, also through an Identity: the file may carry parameters as inputs of the graph.
std::unordered_set<std::string> namesOnWeightSlots(const OnnxModel& model, const std::vector<std::size_t>& order) {
  std::unordered_map<std::string, std::string> sourceOf;
  for (const std::size_t index : order)
    if (const OnnxNode& node = model.nodes[index]; node.op == "Identity" && node.hasInput(0)) {
      const auto further = sourceOf.find(node.inputs[0]);
      sourceOf[node.outputs[0]] = further == sourceOf.end() ? node.inputs[0] : further->second;
    }
  std::unordered_set<std::string> names;
  for (const std::size_t index : order) {
    const OnnxNode& node = model.nodes[index];
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (!node.hasInput(k) || !isWeightSlot(node.op, k)) continue;
      const auto source = sourceOf.find(node.inputs[k]);
      names.insert(source == sourceOf.end() ? node.inputs[k] : source->second);
    }
  }
  return names;
}

/// The one input that is an image (or a list of numbers for each).
Result<const OnnxPort*, std::string> dataInput(const OnnxTranslation& t, const std::unordered_set<std::string>& weights) {
  std::vector<const OnnxPort*> candidates;
  for (const OnnxPort& port : t.model.inputs)
    if (t.find(port.name) == nullptr && !weights.contains(port.name) && t.readersOf(port.name) > 0) candidates.push_back(&port);
  if (candidates.empty()) return no("has no input that an image could come from: all its inputs are parameters");
  const auto isImage = [](const OnnxPort* port) { return port->dims.size() == 4; };
  const auto images = std::count_if(candidates.begin(), candidates.end(), isImage);
  if (candidates.size() > 1 && images != 1)
    return no(fmt::format("has {} inputs, among them {} and {}; models of one image input can be planned", candidates.size(), shownName(candidates[0]->name), shownName(candidates[1]->name)));
  return images == 1 ? *std::find_if(candidates.begin(), candidates.end(), isImage) : candidates[0];
}

}  // namespace

Result<void, std::string> beginWithInput(OnnxTranslation& t, const std::vector<std::size_t>& order, Graph& graph) {
  for (const OnnxTensor& tensor : t.model.initializers) t.set(tensor.name, constantOf(tensor));
  const auto weights = namesOnWeightSlots(t.model, order);
  const auto found = dataInput(t, weights);
  if (!found) return no(found.error());
  const OnnxPort& port = **found;
  for (const OnnxPort& other : t.model.inputs)
    if (&other != &port && t.find(other.name) == nullptr) {
      OnnxValue parameter;
      parameter.kind = OnnxValue::Kind::Constant;
      parameter.dims = other.dims;
      parameter.parameter = other.name;
      t.set(other.name, std::move(parameter));
    }

  const std::string what = fmt::format("its input {} {}", shownName(port.name), dimsText(port.dims));
  if (!port.isTensorWithShape || port.dims.size() < 2 || port.dims.size() > 4)
    return no(fmt::format("{} is not a batch of images; it must be N x C x H x W, or N x C", what));
  std::vector<std::int64_t> dims = port.dims;
  const bool leavesBatch = dims[0] == -1;
  t.batch = leavesBatch ? 1 : dims[0];
  if (t.batch < 1 || t.batch > maxBatch) return no(fmt::format("{} has a batch that cannot be; 1 to {} images, or left open", what, maxBatch));
  graph.defaultBatch = leavesBatch ? usualBatch : t.batch;
  if (dims[1] == -1) return no(fmt::format("{} leaves the number of channels open; export the model with it", what));
  for (std::size_t i = 2; i < dims.size(); ++i)
    if (dims[i] == -1) {
      dims[i] = usualSide;
      if (graph.remarks.empty()) graph.remarks.push_back(fmt::format("leaves the image's size open; it is planned with {} a side unless --input says otherwise", usualSide));
    }
  dims[0] = t.batch;
  const Shape shape{0, dims[1], dims.size() > 2 ? dims[2] : 1, dims.size() > 3 ? dims[3] : 1};
  auto value = t.addNamed(port.name, DataParams{.shape = shape, .classes = 1}, {});
  if (!value) return no(fmt::format("{} cannot be planned: {}", what, value.error().text));
  value->dims = std::move(dims);
  t.set(port.name, std::move(*value));
  return {};
}

Result<void, std::string> endWithLoss(OnnxTranslation& t) {
  const OnnxValue* output = t.find(t.outputName);
  const auto scores = output != nullptr && output->isData() ? t.settled(*output) : std::nullopt;
  if (!scores || t.image(*scores).h * t.image(*scores).w != 1)
    return no(fmt::format("its output {} {} is not one score for each class; only classifiers can be planned yet", shownName(t.outputName),
                          output != nullptr ? dimsText(output->dims) : ""));
  const std::int64_t classes = t.image(*scores).c;
  std::get<DataParams>(t.layers[LayerId{0}].params).classes = classes;
  const auto loss = t.addNamed("softmax", SoftmaxLossParams{}, {*scores});
  if (!loss) return no(loss.error().text);
  return {};
}

namespace {

/// What tells that the file was exported for inference, or nothing.
std::string inferenceSign(const InferenceSigns& s) {
  if (s.inferenceNorms > 0) return fmt::format("{} BatchNormalization nodes are in inference mode, and are planned as they train", s.inferenceNorms);
  if (s.inferenceDropouts > 0 && s.trainingNorms == 0) return fmt::format("{} Dropout nodes are in inference mode, and are planned as they train", s.inferenceDropouts);
  if (s.trainingNorms > 0 || s.trainingDropouts > 0) return {};
  if (s.foldedNames > 0) return fmt::format("BatchNormalization is folded into {} convolutions and missing from the plan", s.foldedNames);
  if (s.convolutionsWithBias > 0) return fmt::format("{} convolutions have a bias and no BatchNormalization or Dropout is left; if the model has them, they are missing from the plan", s.convolutionsWithBias);
  return {};
}

}  // namespace

std::vector<std::string> remarksOn(const OnnxTranslation& t) {
  std::vector<std::string> remarks;
  if (const std::string sign = inferenceSign(t.signs); !sign.empty())
    remarks.push_back(fmt::format("looks like an inference export: {}; export for training: torch.onnx.export(model.train(), x, \"net.onnx\", "
                                  "training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False)",
                                  sign));
  if (t.model.outputs.size() > 1)
    remarks.push_back(fmt::format("has {} outputs; the loss is planned on {}, and what leads only to the others is left out", t.model.outputs.size(), shownName(t.outputName)));
  if (t.sharedParameters > 0)
    remarks.push_back(fmt::format("shares parameters between layers; they are counted {} times too often", t.sharedParameters));
  const auto isHalf = [](const OnnxTensor& tensor) { return tensor.type == static_cast<std::int32_t>(OnnxType::Half) || tensor.type == static_cast<std::int32_t>(OnnxType::BFloat); };
  if (std::any_of(t.model.initializers.begin(), t.model.initializers.end(), isHalf)) remarks.emplace_back("has 16 bit parameters; everything is counted as 4 byte numbers");
  return remarks;
}

}  // namespace peakscope::engine
