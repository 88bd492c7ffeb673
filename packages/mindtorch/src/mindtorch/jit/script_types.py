"""Types of compiled scripts that ``torch`` and ``torch._C`` name: there for ``isinstance`` only."""

from __future__ import annotations

from enum import Enum

from ..core.script_object import ScriptObject as ScriptObject
from ..core.unavailable import SCRIPTS, offer

#: The names of this module, for those that offer them.
NAMES = (
    "AliasDb AnyType Argument ArgumentSpec AwaitType Block BoolType CallStack Capsule ClassType "
    "Code CompleteArgumentSpec ComplexType ConcreteModuleType ConcreteModuleTypeBuilder "
    "DeepCopyMemoTable DeserializationStorageContext DeviceObjType DictType EnumType ErrorReport "
    "ExecutionPlan FloatType FutureType Gradient Graph GraphExecutorState InferredType "
    "IntType InterfaceType ListType LiteScriptModule Node NoneType NumberType OperatorInfo "
    "OptionalType PyObjectType PyTorchFileReader PyTorchFileWriter RRefType ScriptClass "
    "ScriptClassFunction ScriptMethod ScriptModuleSerializer ScriptObject ScriptObjectProperty "
    "SerializationStorageContext StaticModule StreamObjType StringType SymBoolType SymIntType "
    "BenchmarkConfig BenchmarkExecutionStats BufferDict IODescriptor LockingLogger LoggerBase "
    "ModuleDict NoopLogger ParameterDict ScriptDictIterator ScriptDictKeyIterator "
    "ScriptListIterator TensorType TracingState TupleType Type UnionType Use Value"
)
FUNCTIONS = (
    "import_ir_module import_ir_module_from_buffer merge_type_from_type_comment parse_ir "
    "parse_type_comment unify_type_list"
)
offer(globals(), SCRIPTS, FUNCTIONS, NAMES)


class AggregationType(Enum):
    """How counters of a script are put together."""

    SUM = 0
    AVG = 1


SUM = AggregationType.SUM
AVG = AggregationType.AVG
