"""The OpenAPI document holds: whatever is sent to an address, the answer is one that the document names."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from strifebarge.api.every import VERBS
from tests.api.calls import Program, table_of
from tests.web.house import House

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FEW, MANY = 5, 100  # examples for each verb
NAMES = sorted(VERBS)


@pytest.fixture(scope="module")
def site(house: House) -> tuple[Any, Program, str]:
    """The document of a site, a program that calls it, and a table where it plays."""
    ann = Program(house, "Ann")
    table = table_of([ann, Program(house, "Ben")], "eights")
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", house.app)
    return schema, ann, table


def send_examples(site: tuple[Any, Program, str], name: str, most: int) -> None:
    schema, ann, table = site
    verb = VERBS[name]
    operation = schema[verb.path][verb.method]

    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        if "table" in case.path_parameters and len(case.path_parameters["table"]) % 2:
            case.path_parameters["table"] = table  # one that there is
        case.call_and_validate(headers={"Authorization": f"Bearer {ann.token}"}, checks=CHECKS)

    send()


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_one_that_the_document_names(site: tuple[Any, Program, str], name: str) -> None:
    send_examples(site, name, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_of_many_is_one_that_the_document_names(
    site: tuple[Any, Program, str], name: str
) -> None:
    send_examples(site, name, MANY)
