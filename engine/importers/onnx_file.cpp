// SPDX-License-Identifier: Apache-2.0
//
// The only file that knows protobuf: the library's generated classes parse, and what planning needs is copied out. The
// library's checker is not used: it refuses files newer than itself, which parse well.
#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/importers/onnx_model.h"

namespace peakscope::engine {
namespace {

constexpr std::int64_t maxNumbers = 4096;      ///< of a tensor that may decide shapes
constexpr std::int64_t maxNodes = 1'000'000;   ///< as in network files
constexpr std::int64_t maxFileBytes = std::numeric_limits<std::int32_t>::max();  ///< protobuf's own limit

auto refuse(const std::string& fileName, const std::string& text) { return badInput(fileName + ": " + text); }

/// The values of little-endian raw bytes, each converted to To.
template <class From, class To>
std::optional<std::vector<To>> fromRaw(const std::string& raw, std::int64_t count) {
  if (raw.size() != static_cast<std::size_t>(count) * sizeof(From)) return std::nullopt;
  std::vector<To> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    From value;
    std::memcpy(&value, raw.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(value);
  }
  return values;
}

template <class To, class Field>
std::optional<std::vector<To>> fromField(const Field& field, std::int64_t count) {
  if (field.size() != count) return std::nullopt;
  return std::vector<To>(field.begin(), field.end());
}

void readValues(const onnx::TensorProto& from, OnnxTensor& to) {
  std::int64_t count = 1;
  for (const std::int64_t dim : to.dims)
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count) || count > maxNumbers) return;
  const bool isRaw = from.has_raw_data();
  const std::string& raw = from.raw_data();
  switch (from.data_type()) {
    case onnx::TensorProto::INT64:
      to.integers = isRaw ? fromRaw<std::int64_t, std::int64_t>(raw, count) : fromField<std::int64_t>(from.int64_data(), count);
      break;
    case onnx::TensorProto::INT32:
      to.integers = isRaw ? fromRaw<std::int32_t, std::int64_t>(raw, count) : fromField<std::int64_t>(from.int32_data(), count);
      break;
    case onnx::TensorProto::BOOL:
      to.integers = isRaw ? fromRaw<std::uint8_t, std::int64_t>(raw, count) : fromField<std::int64_t>(from.int32_data(), count);
      break;
    case onnx::TensorProto::FLOAT:
      to.numbers = isRaw ? fromRaw<float, double>(raw, count) : fromField<double>(from.float_data(), count);
      break;
    case onnx::TensorProto::DOUBLE:
      to.numbers = isRaw ? fromRaw<double, double>(raw, count) : fromField<double>(from.double_data(), count);
      break;
    default:
      break;
  }
}

OnnxTensor tensorOf(const onnx::TensorProto& from) {
  OnnxTensor to{.name = from.name(), .type = from.data_type(), .dims = {from.dims().begin(), from.dims().end()}, .integers = {}, .numbers = {}};
  if (from.data_location() != onnx::TensorProto::EXTERNAL) readValues(from, to);
  return to;
}

OnnxAttribute attributeOf(const onnx::AttributeProto& from) {
  OnnxAttribute to{.name = from.name(),
                   .integer = from.i(),
                   .number = static_cast<double>(from.f()),
                   .text = from.s(),
                   .integers = {from.ints().begin(), from.ints().end()},
                   .numbers = {from.floats().begin(), from.floats().end()},
                   .tensor = {}};
  if (from.has_t()) to.tensor = tensorOf(from.t());
  return to;
}

OnnxNode nodeOf(const onnx::NodeProto& from) {
  OnnxNode to{.name = from.name(),
              .op = from.op_type(),
              .domain = from.domain(),
              .inputs = {from.input().begin(), from.input().end()},
              .outputs = {from.output().begin(), from.output().end()},
              .attributes = {}};
  for (const onnx::AttributeProto& attribute : from.attribute()) to.attributes.push_back(attributeOf(attribute));
  return to;
}

OnnxPort portOf(const onnx::ValueInfoProto& from) {
  OnnxPort to{.name = from.name(), .type = 0, .isTensorWithShape = false, .dims = {}};
  if (!from.has_type() || !from.type().has_tensor_type()) return to;
  const auto& tensor = from.type().tensor_type();
  to.type = tensor.elem_type();
  to.isTensorWithShape = tensor.has_shape();
  // A written dimension stays as it is, so that nonsense is refused and not taken for an open one.
  for (const auto& dim : tensor.shape().dim())
    to.dims.push_back(dim.has_dim_value() ? (dim.dim_value() < 0 ? 0 : dim.dim_value()) : -1);
  return to;
}

Result<OnnxModel> modelOf(const onnx::ModelProto& from, const std::string& fileName) {
  if (!from.has_graph() || from.graph().node().empty())
    return refuse(fileName, "is not an ONNX model: it has no graph with nodes; export one with torch.onnx.export");
  const onnx::GraphProto& graph = from.graph();
  if (graph.node_size() > maxNodes)
    return refuse(fileName, fmt::format("has {} nodes; the limit is {}", graph.node_size(), maxNodes));
  OnnxModel to;
  for (const auto& set : from.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx") to.opset = set.version();
  for (const auto& node : graph.node()) to.nodes.push_back(nodeOf(node));
  for (const auto& tensor : graph.initializer()) to.initializers.push_back(tensorOf(tensor));
  for (const auto& port : graph.input()) to.inputs.push_back(portOf(port));
  for (const auto& port : graph.output()) to.outputs.push_back(portOf(port));
  return to;
}

/// A descriptor that is closed whatever happens.
class OpenFile {
 public:
  // Non-blocking: opening a pipe that nobody writes to must not wait. It is refused afterwards.
  explicit OpenFile(const std::filesystem::path& path) : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int descriptor() const { return m_descriptor; }

 private:
  int m_descriptor;
};

constexpr const char* notParsed = "is damaged or not an ONNX model: it does not parse as one; export it again, or fetch it again whole";

}  // namespace

const OnnxAttribute* OnnxNode::find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}
std::int64_t OnnxNode::integer(std::string_view attribute, std::int64_t otherwise) const {
  const OnnxAttribute* found = find(attribute);
  return found ? found->integer : otherwise;
}
double OnnxNode::number(std::string_view attribute, double otherwise) const {
  const OnnxAttribute* found = find(attribute);
  return found ? found->number : otherwise;
}
std::string OnnxNode::text(std::string_view attribute, const std::string& otherwise) const {
  const OnnxAttribute* found = find(attribute);
  return found ? found->text : otherwise;
}

std::string shownName(const std::string& name) {
  constexpr std::size_t longest = 80;
  std::string shown = name.size() <= longest ? name : "..." + name.substr(name.size() - longest);
  for (char& c : shown)
    if (c <= ' ' || c > '~') c = '_';
  return shown.empty() ? "(without a name)" : shown;
}

Result<OnnxModel> parseOnnxModel(std::string_view bytes, const std::string& fileName) {
  const google::protobuf::LogSilencer quiet;   // what is wrong is said in one line of our own
  if (bytes.empty()) return refuse(fileName, "is empty; an ONNX model is expected");
  onnx::ModelProto model;
  if (static_cast<std::int64_t>(bytes.size()) > maxFileBytes || !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return refuse(fileName, notParsed);
  return modelOf(model, fileName);
}

Result<OnnxModel> readOnnxModel(const std::filesystem::path& path) {
  const std::string fileName = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return refuse(fileName, "no such file; give a sample's name (see nets) or a file");
  if (status.type() == std::filesystem::file_type::directory) return refuse(fileName, "is a folder; an ONNX model is one file");
  if (status.type() != std::filesystem::file_type::regular) return refuse(fileName, "is not a regular file; an ONNX model is one");
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size == 0) return refuse(fileName, "is empty; an ONNX model is expected");
  if (!error && size > static_cast<std::uintmax_t>(maxFileBytes))
    return refuse(fileName, "has more than 2 GiB, which no ONNX file may; export it with external data, planning needs only the small file");

  const OpenFile file(path);
  if (file.descriptor() < 0) return refuse(fileName, fmt::format("cannot be read: {}", std::strerror(errno)));
  const google::protobuf::LogSilencer quiet;
  google::protobuf::io::FileInputStream stream(file.descriptor());
  onnx::ModelProto model;
  const bool isParsed = model.ParseFromZeroCopyStream(&stream);
  if (stream.GetErrno() != 0) return refuse(fileName, fmt::format("cannot be read: {}", std::strerror(stream.GetErrno())));
  if (!isParsed) return refuse(fileName, notParsed);
  return modelOf(model, fileName);
}

}  // namespace peakscope::engine
