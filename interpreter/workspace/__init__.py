"""One core for command line and language server: which files, what is wrong with them, how they are formatted."""

from interpreter.workspace.check_files import Checked, check_files
from interpreter.workspace.config import Found, find_files, find_rules, kind_of, nearest_path
from interpreter.workspace.fixes import apply_fixes, safe_fixes
from interpreter.workspace.format_files import Formatted, format_files, format_text
from interpreter.workspace.read_files import Lines, WorkspaceFiles, shown_from_here

__all__ = [
    "Checked",
    "Formatted",
    "Found",
    "Lines",
    "WorkspaceFiles",
    "apply_fixes",
    "check_files",
    "find_files",
    "find_rules",
    "format_files",
    "format_text",
    "kind_of",
    "nearest_path",
    "safe_fixes",
    "shown_from_here",
]
