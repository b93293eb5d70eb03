"""The committed protobuf code says what the .proto files say.

The generator itself isn't needed here: what the code was made of is embedded in it, and `buf` compiles the same from
the sources. `make proto-check`, which installs the generator, compares every byte.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

from croupier.v1 import bot_pb2, bot_pb2_grpc, record_pb2

ROOT = Path(__file__).parents[2]
V1 = ROOT / "protocol/croupier/v1"
BUF = Path(sys.executable).with_name("buf")
GENERATED = {"croupier/v1/bot.proto": bot_pb2.DESCRIPTOR, "croupier/v1/record.proto": record_pb2.DESCRIPTOR}


def buf(*arguments: str) -> bytes:
    """Run buf on the repository and return what it prints."""
    done = subprocess.run([BUF, *arguments], cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return done.stdout


def without_json_names(message: DescriptorProto) -> None:
    """Drop what a compiler adds for itself and the generated code doesn't keep."""
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        without_json_names(nested)


@pytest.fixture(scope="module")
def compiled() -> dict[str, FileDescriptorProto]:
    """The .proto files as they are now, compiled."""
    files = FileDescriptorSet.FromString(buf("build", "--as-file-descriptor-set", "--exclude-source-info", "-o", "-"))
    for file in files.file:
        for message in file.message_type:
            without_json_names(message)
    return {file.name: file for file in files.file}


def test_every_proto_file_has_generated_code(compiled: dict[str, FileDescriptorProto]) -> None:
    """No .proto file was added without its code, and none taken away from under it."""
    assert set(compiled) == set(GENERATED)


@pytest.mark.parametrize("name", GENERATED)
def test_generated_code_is_made_of_the_proto_file(name: str, compiled: dict[str, FileDescriptorProto]) -> None:
    """Messages, fields, numbers, types, enums and calls are the same in the .proto file and in the committed code."""
    embedded = FileDescriptorProto.FromString(GENERATED[name].serialized_pb)

    assert embedded == compiled[name]


def declared(file: FileDescriptorProto) -> Iterator[str]:
    """Yield what a typed stub must declare of a file."""
    for message in file.message_type:
        yield f"class {message.name}("
        for field in message.field:
            yield f"{field.name}: "
    for enum in file.enum_type:
        yield f"{enum.name}: "
        for value in enum.value:
            yield f"{value.name}: {enum.name}.ValueType  # {value.number}"


@pytest.mark.parametrize("name", GENERATED)
def test_typed_stubs_declare_everything(name: str, compiled: dict[str, FileDescriptorProto]) -> None:
    """Every message, field and enum value is in the .pyi beside the code."""
    stub = (V1 / Path(name).with_suffix("").name).with_name(Path(name).stem + "_pb2.pyi").read_text()

    assert [each for each in declared(compiled[name]) if each not in stub] == []


def test_service_code_has_every_call(compiled: dict[str, FileDescriptorProto]) -> None:
    """Stub, servicer and typed stub know exactly the calls of the service."""
    (service,) = compiled["croupier/v1/bot.proto"].service
    calls = {method.name for method in service.method}
    servicer = {name for name in vars(bot_pb2_grpc.BotServiceServicer) if name[0].isupper()}
    code = (V1 / "bot_pb2_grpc.py").read_text()
    typed = (V1 / "bot_pb2_grpc.pyi").read_text()

    assert servicer == calls
    assert all(f"/croupier.v1.BotService/{call}'" in code for call in calls)
    assert all(f"def {call}(" in typed for call in calls)


def test_protocol_is_lint_clean() -> None:
    """`buf lint` has nothing to say about the .proto files."""
    assert buf("lint") == b""
