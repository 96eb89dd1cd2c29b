"""mind doctor asks a provider for its models only with --online, and never for anything else."""

from pytest_httpserver import HTTPServer

from support.command import Mind

KEY = "a-key-that-opens-nothing"


def of_models(mind: Mind, server: HTTPServer, *options: str) -> list[tuple[str, str, str]]:
    """Return check, verdict and words of what the doctor says of models."""
    address = server.url_for("/v1")
    known = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": ""}
    found = mind.run("doctor", *options, environment=known).records()
    assert KEY not in str(found)
    return [
        (one["check"], one["verdict"], one["found"]) for one in found if one["about"] == "models"
    ]


def test_nobody_is_asked_unless_that_is_wished(mind: Mind, httpserver: HTTPServer) -> None:
    assert of_models(mind, httpserver) == [("keys", "ok", "openai ($OPENAI_API_KEY)")]
    assert httpserver.log == []


def test_the_list_of_models_is_asked_for_with_the_key(mind: Mind, httpserver: HTTPServer) -> None:
    wanted = {"Authorization": f"Bearer {KEY}"}
    models = {"object": "list", "data": [{"id": "one"}, {"id": "two"}]}
    httpserver.expect_request("/v1/models", method="GET", headers=wanted).respond_with_json(models)
    assert of_models(mind, httpserver, "--online")[1:] == [
        ("asked openai", "ok", "it lists 2 models")
    ]
    assert [(request.method, request.path) for request, _ in httpserver.log] == [
        ("GET", "/v1/models")
    ]


def test_a_key_that_is_refused_is_wrong(mind: Mind, httpserver: HTTPServer) -> None:
    refusal = {"error": {"message": "Incorrect API key provided"}}
    httpserver.expect_request("/v1/models").respond_with_json(refusal, status=401)
    ((check, verdict, words),) = of_models(mind, httpserver, "--online")[1:]
    assert (check, verdict, "Incorrect API key" in words) == ("asked openai", "bad", True)


def test_an_answer_that_is_no_list_is_wrong(mind: Mind, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/models").respond_with_json({"hello": 1})
    ((_, verdict, words),) = of_models(mind, httpserver, "--online")[1:]
    assert (verdict, "no list of models" in words) == ("bad", True)
