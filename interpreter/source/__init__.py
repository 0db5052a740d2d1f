"""Reading: files, spans, YAML with places, and the shipped library."""

from interpreter.source.file import SourceFile, from_text, read_source, start_of
from interpreter.source.files import Files, Step
from interpreter.source.library import LIBRARY_FOLDERS, find_shipped, library_folder, library_root, shipped_games
from interpreter.source.structure import Number, Text, describe, structure, text_of
from interpreter.source.yaml import YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar, load_yaml

__all__ = [
    "LIBRARY_FOLDERS",
    "Files",
    "Number",
    "SourceFile",
    "Step",
    "Text",
    "YamlEntry",
    "YamlList",
    "YamlMap",
    "YamlNode",
    "YamlScalar",
    "describe",
    "find_shipped",
    "from_text",
    "library_folder",
    "library_root",
    "load_yaml",
    "read_source",
    "shipped_games",
    "start_of",
    "structure",
    "text_of",
]
