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

from strifebarge.api.verbs.every import VERBS
from tests.api.calls import Program, cup_of, table_of
from tests.web.house import House

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FEW, MANY = 5, 100  # examples for each verb
NAMES = sorted(VERBS)

Site = tuple[Any, Program, dict[str, str]]


@pytest.fixture(scope="module")
def site(house: House) -> Site:
    """The document of a site, a program that calls it, and codes of a table and a tournament of its own."""
    ann = Program(house, "Ann")
    codes = {"table": table_of([ann, Program(house, "Ben")], "eights"), "tournament": cup_of(ann)}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", house.app)
    return schema, ann, codes


def send_examples(site: Site, name: str, most: int) -> None:
    schema, ann, codes = site
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
        for name, code in codes.items():
            if len(case.path_parameters.get(name, "")) % 2:
                case.path_parameters[name] = code  # one that there is
        case.call_and_validate(headers={"Authorization": f"Bearer {ann.token}"}, checks=CHECKS)

    send()


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_one_that_the_document_names(site: Site, name: str) -> None:
    send_examples(site, name, FEW)


def test_the_document_names_the_paces_that_may_be_searched_for(site: Site) -> None:
    schema, ann, _ = site
    searched = schema.raw_schema["paths"]["/tables"]["get"]["parameters"]
    [pace] = [each["schema"] for each in searched if each["name"] == "pace"]
    assert [ann.send("GET", f"/tables?pace={each}").status_code for each in pace["enum"]] == [200] * 4


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_of_many_is_one_that_the_document_names(site: Site, name: str) -> None:
    send_examples(site, name, MANY)
