"""Puts this folder on the path, so that tests of every stage can share its modules (`corpus_reader`), adds the flag
that records golden files anew instead of comparing them, and sets how Hypothesis works: no deadline, since machines
differ and are shared; the same examples every time, since a finding should be that of the change at hand.
`--hypothesis-profile=deep` looks for new ones, many more (see CONTRIBUTING, nightly).
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("deep", parent=settings.get_profile("steady"), derandomize=False, max_examples=2000)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files instead of comparing them")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written."""
    return bool(request.config.getoption("--update-golden"))
