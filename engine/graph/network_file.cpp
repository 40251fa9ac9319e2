// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/network_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "engine/graph/built_in_networks.h"
#include "engine/graph/graph_check.h"
#include "engine/graph/json_object_reader.h"
#include "engine/graph/layer_reader.h"
#include "engine/graph/resnet.h"
#include "engine/importers/onnx.h"

namespace peakscope::engine {
namespace {

constexpr std::int64_t maxLayers = 1'000'000;
constexpr std::int64_t maxIterations = std::int64_t{1} << 40;

/// What reading a document needs besides the graph it fills.
struct Document {
  std::string fileName;
  Graph graph;
  IdVector<LayerId, std::int32_t> lines;
  std::optional<Error> problem;

  void keep(const JsonObjectReader& in) {
    if (!problem && in.problem()) problem = in.problem();
  }
};

void readSchedule(const JsonNode& node, Document& doc) {
  const auto* drops = std::get_if<JsonNode::Array>(&node.value);
  if (!drops) {
    JsonObjectReader(node, doc.fileName, "solver");
    doc.problem = Error{ErrorKind::BadInput, fmt::format("{}:{}: solver: 'schedule' is {}; it must be a list",
                                                         doc.fileName, node.line, node.kind())};
    return;
  }
  for (const JsonNode& drop : *drops) {
    JsonObjectReader in(drop, doc.fileName, "solver schedule");
    Solver::Drop read{.iteration = 0, .learningRate = 0};
    double rate = 0;
    in.requireInteger("from", read.iteration, {1, maxIterations});
    in.requireNumber("learningRate", rate, 0, 1e6);
    in.refuseOtherKeys();
    doc.keep(in);
    read.learningRate = static_cast<float>(rate);
    auto& schedule = doc.graph.solver.schedule;
    if (!schedule.empty() && read.iteration <= schedule.back().iteration) {
      in.complain(drop.line, "entries must be in the order of their iterations");
      doc.keep(in);
    }
    schedule.push_back(read);
  }
}

void readSolver(const JsonNode& node, Document& doc) {
  JsonObjectReader in(node, doc.fileName, "solver");
  Solver& solver = doc.graph.solver;
  int kind = static_cast<int>(solver.kind);
  in.choice("type", kind, {"sgd", "momentum", "nesterov"});
  solver.kind = static_cast<Solver::Kind>(kind);
  in.number("learningRate", solver.learningRate, 0, 1e6);
  in.number("momentum", solver.momentum, 0, 0.99999);
  in.number("weightDecay", solver.weightDecay, 0, 1e3);
  const JsonNode* schedule = in.any("schedule");
  in.refuseOtherKeys();
  doc.keep(in);
  if (schedule && !doc.problem) readSchedule(*schedule, doc);
}

void readInit(const JsonNode& node, Document& doc) {
  JsonObjectReader in(node, doc.fileName, "init");
  WeightInit& init = doc.graph.init;
  int kind = static_cast<int>(init.kind);
  in.choice("type", kind, {"xavier", "he", "gaussian"});
  init.kind = static_cast<WeightInit::Kind>(kind);
  in.number("stddev", init.stddev, 0, 1e3);
  in.refuseOtherKeys();
  doc.keep(in);
}

/// The names in "input": one, several, or none given (the layer before).
std::vector<std::string> readInputs(JsonObjectReader& in, const std::string& previous, bool isData) {
  const JsonNode* node = in.any("input");
  if (!node) {
    if (isData) return {};
    if (previous.empty())
      in.complain(in.line(), "has no layer before it and no 'input'; begin with a layer of type data");
    return {previous};
  }
  if (const auto* name = std::get_if<std::string>(&node->value)) return {*name};
  std::vector<std::string> names;
  if (const auto* list = std::get_if<JsonNode::Array>(&node->value))
    for (const JsonNode& entry : *list) {
      if (const auto* name = std::get_if<std::string>(&entry.value))
        names.push_back(*name);
      else
        in.complain(entry.line, fmt::format("an entry of 'input' is {}; it must be the name of a layer", entry.kind()));
    }
  else
    in.complain(node->line,
                fmt::format("'input' is {}; it must be the name of a layer, or a list of names", node->kind()));
  return names;
}

void readLayers(const JsonNode& node, Document& doc) {
  const auto* list = std::get_if<JsonNode::Array>(&node.value);
  if (!list || list->empty() || static_cast<std::int64_t>(list->size()) > maxLayers) {
    doc.problem = Error{ErrorKind::BadInput, fmt::format("{}:{}: 'layers' must be a list of 1 to {} layers",
                                                         doc.fileName, node.line, maxLayers)};
    return;
  }
  std::vector<std::vector<std::string>> inputNames;
  std::string previous;
  for (const JsonNode& entry : *list) {
    const JsonNode* nameNode = entry.find("name");
    const auto* given = nameNode ? std::get_if<std::string>(&nameNode->value) : nullptr;
    const std::string subject = given ? "layer " + *given : fmt::format("layer number {}", inputNames.size() + 1);
    JsonObjectReader in(entry, doc.fileName, subject);
    std::string name, type;
    in.requireText("name", name);
    in.requireText("type", type);
    if (given && given->empty()) in.complain(nameNode->line, "'name' is empty");
    if (in.problem()) return doc.keep(in);
    LayerParams params = readLayerParams(type, entry.find("type")->line, in);
    if (!in.problem()) inputNames.push_back(readInputs(in, previous, std::holds_alternative<DataParams>(params)));
    in.refuseOtherKeys();
    if (in.problem()) return doc.keep(in);
    doc.graph.layers.push_back({.name = name, .params = std::move(params), .inputs = {}, .consumers = {}, .shape = {}});
    doc.lines.push_back(entry.line);
    previous = name;
  }

  std::unordered_map<std::string, LayerId> byName;
  for (const LayerId id : idsOf(doc.graph.layers)) byName.emplace(doc.graph.layers[id].name, id);
  for (const LayerId id : idsOf(doc.graph.layers))
    for (const std::string& input : inputNames[static_cast<std::size_t>(id.index)]) {
      const auto found = byName.find(input);
      if (found == byName.end()) {
        doc.problem =
            Error{ErrorKind::BadInput, fmt::format("{}:{}: layer {}: its input '{}' is not a layer of this network",
                                                   doc.fileName, doc.lines[id], doc.graph.layers[id].name, input)};
        return;
      }
      doc.graph.layers[id].inputs.push_back(found->second);
      doc.graph.layers[found->second].consumers.push_back(id);
    }
}

bool isFile(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

std::filesystem::path networksIn(const std::filesystem::path& samplesDir) {
  std::error_code error;
  return std::filesystem::is_directory(samplesDir / "networks", error) ? samplesDir / "networks" : samplesDir;
}

Result<Graph> parseResnet(const std::string& name) {
  if (const auto blocks = resnetBlocks(name)) return resnet(*blocks);
  return badInput(fmt::format("network '{}': write the number of blocks of four stages, for example resnet:3,4,6,3", name));
}

}  // namespace

Result<Graph> parseNetwork(std::string_view text, const std::string& fileName) {
  const auto root = parseJson(text, fileName);
  if (!root) return fail(root.error());
  Document doc{.fileName = fileName, .graph = {}, .lines = {}, .problem = {}};
  doc.graph.name = std::filesystem::path(fileName).stem().string();

  JsonObjectReader in(*root, fileName, "");
  std::string description;
  in.text("name", doc.graph.name);
  in.text("description", description);
  in.integer("batch", doc.graph.defaultBatch, {1, maxBatch});
  in.text("dataSet", doc.graph.dataSet);
  const JsonNode* solver = in.any("solver");
  const JsonNode* init = in.any("init");
  const JsonNode* layers = in.any("layers");
  if (!layers) in.complain(root->line, "'layers' is missing; it lists the layers, data first");
  in.refuseOtherKeys();
  doc.keep(in);

  if (solver && !doc.problem) readSolver(*solver, doc);
  if (init && !doc.problem) readInit(*init, doc);
  if (layers && !doc.problem) readLayers(*layers, doc);
  if (doc.problem) return fail(*doc.problem);

  if (const auto problem = finishGraph(doc.graph)) {
    const std::int32_t line = problem->layer.isValid() ? doc.lines[problem->layer] : layers->line;
    const std::string text1 = problem->layer.isValid() ? describe(*problem, doc.graph) : "the network " + problem->text;
    return badInput(fmt::format("{}:{}: {}", fileName, line, text1));
  }
  return std::move(doc.graph);
}

Result<Graph> readNetworkFile(const std::filesystem::path& path) {
  const auto text = readTextFile(path);
  if (!text) return fail(text.error());
  return parseNetwork(*text, path.string());
}

Result<Graph> findNetwork(const std::string& nameOrFile, const std::filesystem::path& samplesDir) {
  for (const BuiltInNetwork& known : builtInNetworks())
    if (nameOrFile == known.name) return known.build();
  if (nameOrFile.starts_with("resnet:")) return parseResnet(nameOrFile);
  const bool isPlainName = !nameOrFile.empty() && nameOrFile.find('/') == std::string::npos;
  if (isPlainName && isFile(networksIn(samplesDir) / (nameOrFile + ".json")))
    return readNetworkFile(networksIn(samplesDir) / (nameOrFile + ".json"));
  if (nameOrFile.ends_with(".onnx")) return readOnnx(nameOrFile);
  if (isFile(nameOrFile)) return readNetworkFile(nameOrFile);
  return badInput(
      fmt::format("network '{}' is not known and no such file exists; known networks: {}, resnet:n1,n2,n3,n4",
                  nameOrFile, fmt::join(sampleNetworks(samplesDir), ", ")));
}

std::vector<std::string> sampleNetworks(const std::filesystem::path& samplesDir) {
  std::vector<std::string> names;
  for (const BuiltInNetwork& known : builtInNetworks()) names.emplace_back(known.name);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(networksIn(samplesDir), error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace peakscope::engine
