"""Build the request of a turn: the same bytes whenever it is built from the same rows."""

import msgspec

from mindpipe.context.receipt import counted
from mindpipe.context.records import Prompt
from mindpipe.context.verbs import origins as context_origins
from mindpipe.context.verbs import prompts
from mindpipe.context.verbs.situations import PromptOptions, PromptPorts
from mindpipe.core.attachments import within_request
from mindpipe.core.errors import IllegalStateError
from mindpipe.core.messages import Message, RawReply, Role
from mindpipe.core.models import ModelRequest, RequestOptions, Target
from mindpipe.core.ports import Store
from mindpipe.core.sources import joined, untrusted
from mindpipe.engine.cycle import journal
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Turn, TurnRequest
from mindpipe.engine.tools.offered import tools_now
from mindpipe.history.verbs import log
from mindpipe.providers.formats import format_of
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request


class BuiltRequest(msgspec.Struct, frozen=True):
    """What a turn asks, the request that says it, and how many tokens we count in it.

    `counted` is None where a paused reply, which nobody counted, goes back with it.
    """

    asked: TurnRequest
    request: ModelRequest
    counted: int | None
    prompt: Prompt


def build(deps: Dependencies, work: OpenCycle, turn: Turn | None, number: int) -> BuiltRequest:
    """Return what turn `number` asks, and the request that says it.

    A turn that was asked before (then it is given) says what it was going to say then; only its
    room may have grown, and the model may be another one of the same kind.

    Raises:
        IllegalStateError: the rendered request breaks a rule of its API (a defect of ours).
    """
    # At one moment: what is forgotten or vouched for meanwhile still stands in the request.
    with holding(deps, work):
        prompt = _old_prompt(deps, turn) if turn else _new_prompt(deps, work, number)
        read = context_origins.of_request(
            deps.store,
            work.agent,
            events=work.events,
            segment=prompt.window.segment,
            cycle=work.cycle,
        )
    origins = joined(turn.asked.origins if turn else (), read)
    options = (
        turn.asked.options if turn else options_of(work, stream=deps.models.preview is not None)
    )
    request = request_of(deps.store, prompt, deps.models.model.target, options, turn)
    left = min(request.seconds, work.left(deps.clock.boot().seconds))
    request = msgspec.structs.replace(request, seconds=left)
    validate(request)
    sources = untrusted(origins, work.agent.trust)
    asked = TurnRequest(
        segment=prompt.window.segment.segment,
        target=deps.models.model.target,
        options=options,
        request_sha256=request.sha256,
        unsent=prompt.unsent,
        taint=bool(sources),
        sources=sources,
        origins=origins,
        said=turn.asked.said if turn else (),
        anew=turn.asked.anew if turn else (),
    )
    size = None if asked.said else counted(prompt, deps.models.tokens)
    return BuiltRequest(asked, request, size, prompt)


def request_of(
    store: Store, prompt: Prompt, target: Target, options: RequestOptions, turn: Turn | None
) -> ModelRequest:
    """Render a prompt, with what a paused reply has said so far at its end, as it came."""
    paused = paused_message(turn, prompt.last) if turn else None
    talk = within_request(prompt.conversation(*([paused] if paused else [])))
    spans = log.blobs(store, shas=paused.raw.sha256) if paused and paused.raw else {}
    # A file may be large: it is read when it is written into the body, and not held beside it.
    blobs = log.StoredBlobs(store, held={**talk.blobs, **spans})
    return make_request(
        msgspec.structs.replace(talk, blobs=blobs),
        target,
        options,
        RenderOptions(raw_from_cycle=prompt.window.segment.raw_from_cycle),
    )


def paused_message(turn: Turn, last: Message) -> Message | None:
    """Return what a paused reply has said so far, to be sent back as it came, or None."""
    if not turn.spans:
        return None
    target = turn.asked.target
    return Message(
        id=f"{last.id}p",
        agent=last.agent,
        seq=last.seq + 1,
        segment=last.segment,
        cycle=turn.cycle,
        turn=turn.turn,
        role=Role.ASSISTANT,
        parts=(),
        raw=RawReply(
            provider=target.provider,
            api=target.api,
            model=target.model,
            family=target.family,
            finish="pause",
            sha256=turn.spans,
        ),
        origin="model",
    )


def options_of(work: OpenCycle, *, stream: bool) -> RequestOptions:
    """Return what the agent's settings make of a request."""
    return RequestOptions(
        max_tokens=work.agent.reply_tokens,
        temperature=work.agent.temperature,
        thinking_tokens=work.agent.thinking_tokens,
        stream=stream,
    )


def validate(request: ModelRequest) -> None:
    """Refuse to send a request that breaks a rule of its API."""
    form = format_of(request.target.api)
    if form is None:
        return
    from mindpipe.validator.check import check
    from mindpipe.validator.profiles import profile_for

    body = msgspec.json.decode(request.body)
    findings = check(form, body, profile=profile_for(request.target.model), kind="request")
    faults = [found for found in findings if found.severity == "error"]
    if faults:
        words = "; ".join(f"{found.rule} at {found.at}: {found.what}" for found in faults[:3])
        raise IllegalStateError(f"the request would be refused ({words}); nothing was sent")


def ports_of(deps: Dependencies) -> PromptPorts:
    """Return what a prompt is loaded with."""
    return PromptPorts(
        deps.store,
        deps.clock,
        deps.chance,
        deps.models.tokens,
        deps.prompts.knowledge,
        deps.prompts.budget,
        deps.prompts.recent,
        deps.policy.lasting,
        deps.prompts.files,
    )


def prompt_options(deps: Dependencies, work: OpenCycle) -> PromptOptions:
    """Return what the segment of this cycle is opened for."""
    return PromptOptions(
        agent=work.agent,
        target=deps.models.model.target,
        tools=tools_now(deps.store, work.agent, workers=deps.tools.workers),
        cycle=work.cycle,
        place=journal.place(deps.store, agent=work.agent.name),
        events=work.events,
        whole=_whole(deps, work),
    )


def _whole(deps: Dependencies, work: OpenCycle) -> int:
    """Return how many messages of a space a timeline shows; 0 in the continuous style."""
    return deps.policy.space_messages if deps.policy.style_of(work.agent) == "timeline" else 0


def _new_prompt(deps: Dependencies, work: OpenCycle, number: int) -> Prompt:
    """Return the prompt of a turn that is asked for the first time."""
    if number > 1:
        return prompts.going_on(
            ports_of(deps),
            lambda: prompt_options(deps, work),
            agent=work.agent.name,
            target=deps.models.model.target,
            cycle=work.cycle if _whole(deps, work) else None,
        )
    options = prompt_options(deps, work)
    prompts.segment_for(ports_of(deps), options)
    return prompts.opening(ports_of(deps), options)


def _old_prompt(deps: Dependencies, turn: Turn) -> Prompt:
    """Return the prompt of a turn that was asked before."""
    return prompts.again(
        ports_of(deps),
        agent=turn.agent,
        segment=turn.asked.segment,
        before=(turn.cycle, turn.turn),
        unsent=turn.asked.unsent,
    )
