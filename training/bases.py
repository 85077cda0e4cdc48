"""Reads the weights of an encoder checkpoint into plain arrays, whatever file they came in.

An ONNX file (float, or int8 made by dynamic quantisation) or a safetensors file of a BERT encoder
becomes the state of `training.encoder.Encoder`; a GGUF file of a Qwen2 decoder becomes the state
of `training.decoder.Decoder`, dequantised where it is used.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import onnx
    import torch

State = dict[str, np.ndarray]

_LAYER_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "attention_out",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "expand",
    "output.dense": "contract",
    "output.LayerNorm": "output_norm",
}
_EMBEDDING_NAMES = {
    "word_embeddings.weight": "words.weight",
    "position_embeddings.weight": "positions.weight",
    "token_type_embeddings.weight": "segments.weight",
    "LayerNorm.weight": "embedding_norm.weight",
    "LayerNorm.bias": "embedding_norm.bias",
}


def load_bert(path: Path) -> State:
    """The encoder's weights under our names, as float32."""
    raw = _from_safetensors(path) if path.suffix == ".safetensors" else _from_onnx(path)
    return {name: array.astype(np.float32) for name, array in _renamed(raw).items()}


def _renamed(raw: State) -> State:
    state: State = {}
    for name, array in raw.items():
        short = name.removeprefix("bert.")
        if short.startswith("embeddings."):
            known = _EMBEDDING_NAMES.get(short.removeprefix("embeddings."))
            if known:
                state[known] = array
        elif short.startswith("pooler.dense."):
            if short.endswith((".weight", ".bias")):
                state[short.replace("pooler.dense", "pool")] = array
        elif short.startswith("encoder.layer."):
            _, _, index, rest = short.split(".", 3)
            part, kind = rest.rsplit(".", 1)
            state[f"layers.{index}.{_LAYER_NAMES[part]}.{kind}"] = array
    return state


_WIDE_LAYER_NAMES = {
    "attention.attn.q": "query",
    "attention.attn.k": "key",
    "attention.attn.v": "value",
    "attention.attn.o": "attention_out",
    "attention.LayerNorm": "attention_norm",
    "intermediate.dense": "expand",
    "output.dense": "contract",
    "output.LayerNorm": "output_norm",
}
_WIDE_PIECES = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
_FIRST_POSITION = 2
"""Positions before it are of padding."""


def load_mpnet(folder: Path, pieces: list[str], layers: int) -> State:
    """The lower layers of an MPNet encoder, and its vectors of these word pieces."""
    raw = _from_safetensors(folder / "model.safetensors")
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    kept = [numbers[_WIDE_PIECES.get(piece, piece)] for piece in pieces]
    words = raw["embeddings.word_embeddings.weight"][kept]
    state = {
        "words.weight": words,
        "positions.weight": raw["embeddings.position_embeddings.weight"][_FIRST_POSITION:],
        "segments.weight": np.zeros((2, words.shape[1])),
        "embedding_norm.weight": raw["embeddings.LayerNorm.weight"],
        "embedding_norm.bias": raw["embeddings.LayerNorm.bias"],
        "distances.weight": raw["encoder.relative_attention_bias.weight"],
    }
    for number in range(layers):
        for theirs, ours in _WIDE_LAYER_NAMES.items():
            for kind in ("weight", "bias"):
                array = raw[f"encoder.layer.{number}.{theirs}.{kind}"]
                state[f"layers.{number}.{ours}.{kind}"] = array
    return {name: np.asarray(array, np.float32) for name, array in state.items()}


def _from_safetensors(path: Path) -> State:
    from safetensors.numpy import load_file

    return dict(load_file(path))


def _from_onnx(path: Path) -> State:
    """Weight matrices lost their names in the export: the bias added after a product names them."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    consumers: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            consumers.setdefault(name, []).append(node)
    state = {name: array for name, array in arrays.items() if array.dtype == np.float32}
    for node in graph.node:
        if node.op_type in ("MatMul", "MatMulInteger") and node.input[1] in arrays:
            bias = _bias_after(node, consumers)
            if bias:
                weight = _dequantised(node.input[1], arrays)
                state[bias.replace(".bias", ".weight")] = weight.T
    for name in list(arrays):
        if "embeddings.weight" in name and name.endswith("_quantized"):
            state[name.removesuffix("_quantized")] = _dequantised(name, arrays)
    return state


def _bias_after(node: "onnx.NodeProto", consumers: "dict[str, list[onnx.NodeProto]]") -> str | None:
    name = node.output[0]
    for _ in range(4):
        following = consumers.get(name, [])
        for candidate in following:
            if candidate.op_type == "Add":
                return next((item for item in candidate.input if item.endswith(".bias")), None)
        if not following:
            return None
        name = following[0].output[0]
    return None


def _dequantised(name: str, arrays: State) -> np.ndarray:
    array = arrays[name]
    if array.dtype == np.float32:
        return array
    stem = name.removesuffix("_quantized")
    scale = arrays[f"{stem}_scale"].astype(np.float32)
    zero = arrays[f"{stem}_zero_point"].astype(np.float32)
    return (array.astype(np.float32) - zero) * scale


def load_shipped(folder: Path, part: str = "judge") -> State:
    """What ships, as a base to go on from."""
    import onnx
    from onnx import numpy_helper

    # the training machine has no groundwire
    from groundwire.encoder._weights import matrix, unpacked

    graph = onnx.load(folder / f"{part}.onnx", load_external_data=False).graph
    kept = {one.name: one for one in graph.initializer}
    state: State = {}
    with np.load(folder / f"{part}.npz") as stored:
        for name, one in kept.items():
            if not name.endswith((".weight", ".bias")):
                continue
            short = name.removesuffix(".weight")
            if f"{short}.levels" in stored:
                whole = matrix(stored[f"{short}.levels"], stored[f"{short}.steps"])
                state[name] = (whole * numpy_helper.to_array(kept[f"{short}.scale"])).T
            else:
                array = numpy_helper.to_array(one)
                state[name] = array.T if array.ndim > 1 else array
        scale = stored["word_scale"].astype(np.float32)
        state["encoder.words.weight"] = unpacked(stored["words"], scale)
        for table in ("positions", "segments"):
            state[f"encoder.{table}.weight"] = stored[table]
    return {name: np.ascontiguousarray(array, np.float32) for name, array in state.items()}


def export_gguf(path: Path, out: Path, answer_ids: list[int]) -> None:
    """A GGUF decoder as one file of quantised blocks and an index, without its output matrix.

    The output matrix is a fifth of the file and only the rows of the answers are needed.
    """
    import gguf

    reader = gguf.GGUFReader(path)
    index: list[dict[str, object]] = []
    with (out / "blocks.bin").open("wb") as blocks:
        for tensor in reader.tensors:
            if tensor.name == "output.weight":
                rows = gguf.dequantize(tensor.data[answer_ids], tensor.tensor_type)
                np.save(out / "answers.npy", rows.astype(np.float32))
                continue
            index.append(
                {
                    "name": tensor.name,
                    "type": tensor.tensor_type.name,
                    "shape": [int(size) for size in reversed(tensor.shape)],
                    "start": blocks.tell(),
                    "bytes": int(tensor.n_bytes),
                }
            )
            blocks.write(tensor.data.tobytes())
    (out / "index.json").write_text(json.dumps(index))


def export_tokenizer(path: Path, out: Path) -> None:
    """The tokenizer that a GGUF file of a Qwen2 decoder carries, as a `tokenizer.json`."""
    import gguf
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

    fields = gguf.GGUFReader(path).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    kinds = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(line.split(" ")) for line in fields["tokenizer.ggml.merges"].contents()]
    normal = {token: number for number, token in enumerate(tokens) if kinds[number] == 1}
    tokenizer = Tokenizer(models.BPE(vocab=normal, merges=merges))
    # such as "'s", " word", "7", " ...", a line break, blanks
    words = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(words), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = [token for number, token in enumerate(tokens) if kinds[number] != 1]
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in special])
    if any(tokenizer.token_to_id(token) != number for number, token in enumerate(tokens)):
        raise ValueError(f"{path}: the tokens do not keep their numbers")
    tokenizer.save(str(out / "decoder_tokenizer.json"))


def load_base(path: Path) -> State:
    """A base to go on from: a folder of shipped weights, or arrays that an earlier step wrote."""
    if path.is_dir():
        return load_shipped(path)
    with np.load(path.with_suffix(".npz")) as stored:
        return dict(stored)


def load_reranker(path: Path) -> State:
    """The ms-marco cross-encoder with the layer that scores a pair, under our names."""
    state = load_bert(path)
    raw = _from_onnx(path)
    state["rank.weight"] = raw["classifier.weight"].astype(np.float32).reshape(1, -1)
    state["rank.bias"] = raw["classifier.bias"].astype(np.float32)
    for part in ("weight", "bias"):
        state[f"rank_pool.{part}"] = state.pop(f"pool.{part}")
    return state


def load_blocks(folder: Path, device: "torch.device") -> "dict[str, torch.Tensor]":
    """Every tensor of an exported decoder, dequantised on the device, as bfloat16."""
    import torch

    raw = np.memmap(folder / "blocks.bin", dtype=np.uint8, mode="r")
    state: dict[str, torch.Tensor] = {}
    for item in json.loads((folder / "index.json").read_text()):
        piece = torch.from_numpy(raw[item["start"] : item["start"] + item["bytes"]].copy()).to(
            device
        )
        values = _DEQUANTISERS[item["type"]](piece)
        state[item["name"]] = values.reshape(item["shape"]).to(torch.bfloat16)
    return state


def _from_f32(raw: "torch.Tensor") -> "torch.Tensor":
    import torch

    return raw.view(torch.float32)


def _from_q4_k(raw: "torch.Tensor") -> "torch.Tensor":
    """Blocks of 256: two half-precision scales, twelve bytes of 6-bit scales, 4-bit values."""
    import torch

    blocks = raw.view(-1, 144)
    scales = blocks[:, 0:4].contiguous().view(torch.float16).float()
    packed = blocks[:, 4:16].to(torch.int32)
    low, middle, high = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    factor = torch.cat((low & 63, (high & 15) | ((low >> 6) << 4)), 1)
    offset = torch.cat((middle & 63, (high >> 4) | ((middle >> 6) << 4)), 1)
    values = blocks[:, 16:].view(-1, 4, 32)
    values = torch.stack((values & 15, values >> 4), 2).reshape(-1, 8, 32).float()
    scale = scales[:, 0:1, None] * factor[..., None]
    return (scale * values - scales[:, 1:2, None] * offset[..., None]).reshape(-1)


def _from_q6_k(raw: "torch.Tensor") -> "torch.Tensor":
    """Blocks of 256: low four bits, high two bits, sixteen signed scales, one half scale."""
    import torch

    blocks = raw.view(-1, 210)
    low = blocks[:, :128].reshape(-1, 2, 1, 64)
    low = torch.cat((low & 15, low >> 4), 2).reshape(-1, 8, 32)
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32)
    high = torch.cat([(high >> shift) & 3 for shift in (0, 2, 4, 6)], 2).reshape(-1, 8, 32)
    values = (low.to(torch.int32) | (high.to(torch.int32) << 4)) - 32
    scales = blocks[:, 192:208].contiguous().view(torch.int8).float()
    whole = blocks[:, 208:210].contiguous().view(torch.float16).float()
    return (values.reshape(-1, 16, 16).float() * (whole * scales)[..., None]).reshape(-1)


_DEQUANTISERS = {"F32": _from_f32, "Q4_K": _from_q4_k, "Q6_K": _from_q6_k}
