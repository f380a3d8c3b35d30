"""The two doors: tokens and scopes, faults with their numbers, batches, keys, limits, no cookies."""

import json
import re
from typing import Any

import pytest

from strifebarge.api.page import document
from strifebarge.api.verbs.every import VERBS
from tests.api.calls import Fault, Program, new_key, refusal, table_of
from tests.web.house import House, OpenHouse
from tests.web.markup import must_be_sound


@pytest.fixture(scope="module")
def ann(house: House) -> Program:
    return Program(house, "Ann")


def error_of(answer: Any) -> tuple[int, int, int | None]:
    """Return the HTTP status, the number of JSON-RPC and that of Volity."""
    error = json.loads(answer.data)["error"]
    return answer.status_code, error["code"], error["data"].get("volity")


def call(method: Any, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": {} if params is None else params, "id": 1} | more


# -- who calls -------------------------------------------------------------------------------


def test_without_a_token_nothing_is_told(house: House, ann: Program) -> None:
    visitor = house.visitor()
    visitor.start("rps", name="Eve")
    stranger = house.app.test_client()
    for headers in ({}, {"Authorization": "Bearer sbt_" + "x" * 43}, {"Authorization": f"Basic {ann.token}"}):
        for path in ("/me", "/games", "/tables"):
            answer = stranger.get(f"/api/v1{path}", headers=headers)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            assert json.loads(answer.data)["fault"]["data"]["volity"] == 607
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    assert stranger.get("/api/v1/me", headers={"Cookie": cookie}).status_code == 401
    assert stranger.get(f"/api/v1/me?token={ann.token}").status_code == 401


def test_a_token_is_nothing_to_the_pages(house: House, ann: Program) -> None:
    answer = house.app.test_client().get("/me", headers={"Authorization": f"Bearer {ann.token}"})
    assert b"Ann" not in answer.data


def test_the_interface_sets_no_cookie_and_lets_no_other_site_in(ann: Program) -> None:
    answer = ann.send("GET", "/me", Origin="https://elsewhere.example", Cookie="sb=x")
    assert answer.status_code == 200
    assert not {"Set-Cookie", "Access-Control-Allow-Origin"} & set(answer.headers.keys())
    assert answer.headers["Cache-Control"] == "no-store"


def test_each_verb_needs_its_scope(house: House, ann: Program) -> None:
    only = {scope: ann.again(scope) for scope in ("read", "play", "table")}
    for program in only.values():
        program.send("GET", "/me")  # when a token was last used is noted once a day
    with house.unchanged():
        for name, verb in VERBS.items():
            for scope, program in only.items():
                if scope == verb.scope:
                    continue
                with pytest.raises(Fault) as fault:
                    program.call(name)
                assert (fault.value.code, fault.value.data["volity"]) == (-32001, 607)
                assert f"the scope `{verb.scope.value}`." in str(fault.value)


def test_a_revoked_token_ends_at_once(house: House) -> None:
    ben = Program(house, "Ben")
    assert ben.call("lobby.me")["name"] == "Ben"
    house.services.accounts.tokens.revoke_all(ben.player.id)
    assert ben.send("GET", "/me").status_code == 401


def test_a_token_that_was_revoked_and_one_that_never_was_are_answered_alike(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=99)
    ben = Program(house, "Ben")
    house.services.accounts.tokens.revoke_all(ben.player.id)
    for token in (ben.token, f"{ben.token[:-3]}xyz", "sbt_", "else"):
        ben.token = token
        plain, rpc = ben.send("GET", "/me"), ben.rpc(call("lobby.me"))
        for answer, error in ((plain, plain.json["fault"]), (rpc, rpc.json["error"])):
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="strifebarge", error="invalid_token"'
            assert error["message"] == "This token is unknown or was revoked."
            assert (error["code"], error["data"]["error"]) == (-32001, "invalid_token")
    ben.token = ""
    answer = ben.send("GET", "/me")
    assert answer.json["fault"]["message"].startswith("A token is needed")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="strifebarge"'
    assert "error" not in answer.json["fault"]["data"]


# -- faults --------------------------------------------------------------------------------------

DEEP: list[Any] = []
for _ in range(30):
    DEEP = [DEEP]

MOVE = {"table": "AAAAAAAA", "question_number": 1, "key": "key-of-no-move-at-all"}
WRONG: dict[str, tuple[Any, tuple[int, int, int | None]]] = {
    "no JSON": (b"{", (400, -32700, None)),
    "no text": (b"\xff\xfe", (400, -32700, None)),
    "too deep": (b"[" * 5000 + b"]" * 5000, (400, -32700, None)),
    "deep params": (call("table.state", {"table": DEEP}), (400, -32700, None)),
    "nothing": (b"", (400, -32700, None)),
    "a number": (1, (400, -32600, None)),
    "an empty batch": ([], (400, -32600, None)),
    "no version": ({"method": "lobby.me", "id": 1}, (400, -32600, None)),
    "no id": ({"jsonrpc": "2.0", "method": "lobby.me"}, (400, -32600, None)),
    "no id, and it writes": ({"jsonrpc": "2.0", "method": "table.new", "params": {}}, (400, -32600, None)),
    "an odd id": (call("lobby.me", id=[1]), (400, -32600, None)),
    "an odd method": (call(7), (400, -32600, None)),
    "odd params": (call("lobby.me", "x"), (400, -32600, None)),
    "more": (call("lobby.me", also=1), (400, -32600, None)),
    "an unknown verb": (call("table.explode"), (200, -32601, 603)),
    "too few": (call("table.state"), (200, -32602, 604)),
    "too many": (call("lobby.me", {"x": 1}), (200, -32602, 604)),
    "too many in a row": (call("table.version", ["A", "B"]), (200, -32602, 604)),
    "no move": (call("table.move", MOVE), (200, -32602, 604)),
    "two moves": (call("table.move", MOVE | {"move": "draw", "action": {"do": "draw"}}), (200, -32602, 604)),
    "the wrong type": (call("table.state", {"table": 7}), (200, -32602, 605)),
    "true is no number": (call("table.history", {"table": "AAAAAAAA", "number": True}), (200, -32602, 605)),
    "an illegal value": (call("table.history", {"table": "AAAAAAAA", "number": -1}), (200, -32602, 606)),
    "a short key": (call("table.undo", {"table": "AAAAAAAA", "key": "x"}), (200, -32602, 606)),
    "a zero": (call("table.state", {"table": "a\0"}), (200, -32602, 606)),
    "a large number": (call("table.history", {"table": "AAAAAAAA", "number": 10**30}), (200, -32602, 606)),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_call_has_a_fault_of_its_own_and_changes_nothing(
    house: House, ann: Program, what: str
) -> None:
    body, expected = WRONG[what]
    with house.unchanged():
        assert error_of(ann.rpc(body)) == expected


def test_a_move_is_given_in_words_or_as_json_and_not_in_both(ann: Program) -> None:
    for given, token in (
        ({}, "Either `move` or `action` is needed."),
        ({"move": "draw", "action": {"do": "draw"}}, "Give either `move` or `action`, not both."),
    ):
        with pytest.raises(Fault, match=re.escape(token)):
            ann.do("table.move", table="AAAAAAAA", question_number=1, **given)


def test_what_flask_refuses_is_a_fault_too(ann: Program) -> None:
    assert ann.rpc(b"x" * 70_000).status_code == 413
    assert ann.rpc(call("lobby.me"), Content_Type="text/plain").status_code == 415
    assert ann.rpc(call("lobby.me"), Content_Encoding="gzip").status_code == 415
    assert ann.rpc(call("lobby.me"), Content_Encoding="identity").status_code == 200
    for method, path, status in (
        ("GET", "/rpc", 405),
        ("GET", "/nowhere", 404),
        ("PUT", "/tables", 405),
        ("GET", "/tables?page=x", 400),
        ("GET", "/tables?page=1&page=2", 400),
        ("GET", "/tables?nothing=1", 400),
        ("GET", "/tables/AAAAAAAA/state", 404),
        ("GET", "/tables/%00/state", 400),
        ("POST", "/tables", 400),
        ("POST", "/tables/AAAAAAAA/chat/x/strike", 400),
    ):
        answer = ann.send(method, path)
        assert answer.status_code == status, (method, path, answer.data)
        assert {"fault", "refused", "error"} & json.loads(answer.data).keys()


def test_a_wrong_method_is_told_which_ones_there_are(ann: Program) -> None:
    for method, path, allowed in (
        ("GET", "/rpc", {"POST", "OPTIONS"}),
        ("PUT", "/tables", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("TRACE", "/tables/AAAAAAAA/state", {"GET", "HEAD", "OPTIONS"}),
    ):
        answer = ann.send(method, path)
        assert (answer.status_code, set(answer.allow)) == (405, {*allowed}), (method, path)


def test_a_verb_without_arguments_says_that_it_takes_none(ann: Program) -> None:
    reply = json.loads(ann.rpc(call("lobby.me", ["x"])).data)
    assert reply["error"]["message"] == "This verb takes no arguments."


def test_a_batch_is_answered_in_its_order_whatever_fails(ann: Program) -> None:
    answer = ann.rpc([call("lobby.me", id="a"), 1, call("nothing", id=2), call("lobby.games", id=3)])
    assert answer.status_code == 200
    replies = json.loads(answer.data)
    assert [each["id"] for each in replies] == ["a", None, 2, 3]
    assert ["result" in each for each in replies] == [True, False, False, True]
    assert ann.rpc([call("lobby.me")] * 51).status_code == 413


def test_what_nobody_can_keep_spoils_its_own_call_only(house: House, ann: Program) -> None:
    def history(number: str, id: int) -> str:
        return json.dumps(call("table.history", {"table": "AAAAAAAA", "number": 0}, id=id)).replace(
            '"number": 0', f'"number": {number}'
        )

    odd = [history(number, id) for id, number in enumerate((f"1{'0' * 30}", "1e400", "-1e400"), 1)]
    odd += [json.dumps(each) for each in (call("table.state", {"table": "a\0"}, id="b\0"), call("x\0", id=4))]
    body = f"[{','.join([json.dumps(call('lobby.me', id='a')), *odd, json.dumps(call('lobby.me', id='z'))])}]"
    with house.unchanged():
        reply = json.loads(ann.rpc(body.encode()).data)
    assert [each["id"] for each in reply] == ["a", 1, 2, 3, "b\0", 4, "z"]
    assert [each["error"]["data"]["volity"] for each in reply[1:-1]] == [606] * 5
    assert all("result" in each for each in (reply[0], reply[-1]))
    for one, answered in zip(odd, reply[1:-1], strict=True):
        alone = json.loads(ann.rpc(one.encode()).data)
        assert (alone["id"], alone["error"]["message"]) == (answered["id"], answered["error"]["message"])
    plain = ann.send("POST", "/tables", b'{"game": "rps", "seats": 1e400}')
    assert (plain.status_code, plain.json["fault"]["data"]["volity"]) == (400, 606)


def test_arguments_may_come_in_their_order(house: House, ann: Program) -> None:
    table = table_of([ann, Program(house, "Ben")], "rps")
    state = json.loads(ann.rpc(call("table.state", [table])).data)["result"]
    assert state["table"] == table


def test_a_refusal_is_a_result_with_a_token_and_a_sentence(house: House, ann: Program) -> None:
    ben = Program(house, "Ben")
    table = table_of([ann, ben], "eights")
    to_move, other = (ann, ben) if ann.call("table.state", table=table)["your_turn"] else (ben, ann)
    number = to_move.call("table.state", table=table)["question"]["question_number"]
    with house.unchanged():
        for who, move, token in (
            (other, "draw", "game.not_your_turn"),
            (to_move, "play 99", "eights.unknown_card"),
            (to_move, "dance", "game.malformed"),
        ):
            refused = who.do("table.move", table=table, question_number=number, move=move)["refused"]
            assert refused["token"] == token
            assert refused["text"]
        stale = to_move.do("table.move", table=table, question_number=number + 1, move="draw")
        assert refusal(stale) == "game.stale"
        assert refusal(Program.call(ann, "table.state", table="ZZZZZZZZ")) == "table.no_table"
    path = f"/tables/{table}/moves"
    answer = other.send("POST", path, {"question_number": number, "move": "draw", "key": new_key()})
    assert (answer.status_code, json.loads(answer.data)["refused"]["token"]) == (409, "game.not_your_turn")


def test_refusals_are_told_in_the_language_that_is_asked_for(ann: Program) -> None:
    answer = ann.rpc(call("table.state", {"table": "ZZZZZZZZ"}), Accept_Language="de")
    assert "Spiel" in json.loads(answer.data)["result"]["refused"]["text"]


# -- once ------------------------------------------------------------------------------------------


def test_a_call_sent_again_with_its_key_is_done_once(house: House, ann: Program) -> None:
    ben = Program(house, "Ben")
    key = new_key()
    tables = {ann.call("table.new", game="strifebarge", seats=2, key=key)["table"] for _ in range(3)}
    assert len(tables) == 1
    other = ann.call("table.new", game="strifebarge", seats=3, key=key)
    assert refusal(other) == "table.key_reused"
    assert not refusal(ben.call("table.new", game="rps", key=key))  # keys are each person's own
    table = table_of([ann, ben], "strifebarge")
    state = ann.call("table.state", table=table)
    who = ann if state["your_turn"] else ben
    state = who.call("table.state", table=table)
    offer = next(each for each in state["question"]["offers"] if not each["refused"])
    move = {
        "table": table,
        "question_number": state["question"]["question_number"],
        "action": offer["action"],
        "key": new_key(),
    }
    first, second = who.call("table.move", **move), who.call("table.move", **move)
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert first["number"] == second["number"] == who.call("table.state", table=table)["number"]
    assert refusal(who.call("table.move", **{**move, "action": {"do": "nothing"}})) == "game.stale"


# -- limits ------------------------------------------------------------------------------------------


def test_guessed_codes_and_wrong_tokens_are_limited(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=3, limit_sign_in=3)
    ann = Program(house, "Ann")
    ben = Program(house, "Ben")
    table = table_of([ann, ben], "rps")
    elsewhere = table_of([ben, Program(house, "Cleo")], "rps")
    for number in range(2):
        assert refusal(ann.call("table.state", table=f"AAAAAAA{number}")) == "table.no_table"
    assert ann.do("table.delete", table="AAAAAAA2") == {"table": "AAAAAAA2"}  # it counts as a guess too
    for code in ("AAAAAAA9", elsewhere):  # wrong and right codes are answered alike
        for verb in ("table.state", "table.get_info"):
            with pytest.raises(Fault) as fault:
                ann.call(verb, table=code)
            assert fault.value.data["status"] == 429
    assert ann.call("table.state", table=table)["table"] == table  # where one sits
    ann.token = "sbt_" + "x" * 43
    assert [ann.send("GET", "/me").status_code for _ in range(4)] == [401, 401, 401, 429]


def test_the_security_log_names_what_was_denied_and_no_secret(
    house: House, ann: Program, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    with caplog.at_level("INFO", "strifebarge.security"):
        ann.call("table.state", table="ZZZZZZZ9")
        with pytest.raises(Fault):
            ann.again("read").do("table.new", game="rps")
        house.app.test_client().get("/api/v1/me", headers={"Authorization": "Bearer sbt_wrong"})
    events = [json.loads(each.message) for each in caplog.records if each.name == "strifebarge.security"]
    denials = [(each["event"], each["status"], each.get("why"), each.get("who")) for each in events]
    who = ann.player.public
    assert denials == [
        ("refusal", 404, "table.no_table", who),
        ("refusal", 403, None, who),
        ("refusal", 401, None, None),
    ]
    assert not any(secret in caplog.text for secret in (ann.token, "sbt_wrong", ann.player.id))


def test_a_read_only_site_is_watched_and_not_played(open_house: OpenHouse) -> None:
    house = open_house(read_only=True)
    ann = Program(house, "Ann")
    assert ann.call("lobby.me")["name"] == "Ann"
    with pytest.raises(Fault) as fault:
        ann.do("table.new", game="rps")
    assert (fault.value.code, fault.value.data["volity"], fault.value.data["status"]) == (-32002, 609, 503)


# -- what there is -----------------------------------------------------------------------------------


def test_every_verb_has_an_address_of_its_own_and_stands_in_the_document(house: House) -> None:
    visitor = house.visitor()
    published = json.loads(visitor.get("/api/v1/openapi.json").text)
    assert published["openapi"] == "3.1.0"
    named = {each["operationId"] for path in published["paths"].values() for each in path.values()}
    assert named == {*VERBS, "stream"}  # which is no verb: its answer has no end
    assert len({(verb.method, verb.path) for verb in VERBS.values()}) == len(VERBS)
    references = set(_references(published))
    assert references <= {f"#/components/schemas/{name}" for name in published["components"]["schemas"]}
    assert document()["paths"].keys() == published["paths"].keys()


def _references(schema: Any) -> list[str]:
    match schema:
        case dict():
            own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
            return own + [each for part in schema.values() for each in _references(part)]
        case list():
            return [each for part in schema for each in _references(part)]
    return []


def test_the_page_for_programs_is_sound_and_asks_for_nothing_else(house: House) -> None:
    page = house.visitor().get("/api/v1/")
    assert page.status == 200
    must_be_sound(page)
    assert all(f'id="{name}"' in page.text for name in VERBS)
    assert "<script" not in page.text
    [style] = re.findall(r'<link rel="stylesheet" href="([^"]+)">', page.text)
    assert house.visitor().get(style).status == 200
    assert not re.findall(r'(?:src|href)="(?!#|/)', page.text)
