"""The backend that generates Python: complete, watched, explained. It is the judge of the others."""

from interpreter.backends.python.backend import PythonBackend
from interpreter.backends.python.generate import generate

__all__ = ["PythonBackend", "generate"]
