"""The programs of the tests of the stage before serve here too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "ir"))
