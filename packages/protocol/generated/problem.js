/** Generated from proto/problem.proto. */
import "./json.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.problem = (function() {

        const problem = {};

        problem.Problem = (function() {

            const Problem = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Problem.prototype.type = "";
            Problem.prototype.reason = null;
            Problem.prototype.status = 0;
            Problem.prototype.metadata = null;
            Problem.prototype.causedBy = null;
            Problem.prototype.suppressed = null;
            Problem.prototype.rootCauses = null;
            Problem.prototype.internal = null;
            Problem.prototype.isRetryable = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Problem.prototype, "_reason", {
                get: $util.oneOfGetter($oneOfFields = ["reason"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Problem.prototype, "_internal", {
                get: $util.oneOfGetter($oneOfFields = ["internal"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Problem.prototype, "_isRetryable", {
                get: $util.oneOfGetter($oneOfFields = ["isRetryable"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Problem.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== "")
                    writer.uint32(10).string(message.type);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    writer.uint32(18).string(message.reason);
                if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                    writer.uint32(24).uint32(message.status);
                if (message.metadata != null && $Object.hasOwnProperty.call(message, "metadata"))
                    $root.orrery.json.JsonValue.encode(message.metadata, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.causedBy != null && $Object.hasOwnProperty.call(message, "causedBy"))
                    $root.orrery.problem.Problem.encode(message.causedBy, writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.suppressed != null && $Object.hasOwnProperty.call(message, "suppressed"))
                    $root.orrery.problem.ProblemList.encode(message.suppressed, writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.rootCauses != null && $Object.hasOwnProperty.call(message, "rootCauses"))
                    $root.orrery.problem.ProblemList.encode(message.rootCauses, writer.uint32(58).fork(), _depth + 1).ldelim();
                if (message.internal != null && $Object.hasOwnProperty.call(message, "internal"))
                    writer.uint32(66).string(message.internal);
                if (message.isRetryable != null && $Object.hasOwnProperty.call(message, "isRetryable"))
                    writer.uint32(72).bool(message.isRetryable);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Problem.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.orrery.problem.Problem();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.type = value;
                            else
                                delete message.type;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.reason = reader.stringVerify();
                            message._reason = "reason";
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.status = value;
                            else
                                delete message.status;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.metadata = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.metadata);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.causedBy = $root.orrery.problem.Problem.decode(reader, reader.size(), $undefined, _depth + 1, message.causedBy);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            message.suppressed = $root.orrery.problem.ProblemList.decode(reader, reader.size(), $undefined, _depth + 1, message.suppressed);
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            message.rootCauses = $root.orrery.problem.ProblemList.decode(reader, reader.size(), $undefined, _depth + 1, message.rootCauses);
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.internal = reader.stringVerify();
                            message._internal = "internal";
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            message.isRetryable = reader.bool();
                            message._isRetryable = "isRetryable";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Problem;
        })();

        problem.ProblemList = (function() {

            const ProblemList = function (properties) {
                this.problems = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ProblemList.prototype.problems = $util.emptyArray;

            ProblemList.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.problems != null && message.problems.length)
                    for (let i = 0; i < message.problems.length; ++i)
                        $root.orrery.problem.Problem.encode(message.problems[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ProblemList.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.orrery.problem.ProblemList();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.problems && message.problems.length))
                                message.problems = [];
                            message.problems.push($root.orrery.problem.Problem.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ProblemList;
        })();

        return problem;
    })();

    return orrery;
})();

export {
  $root as default
};

export const Problem = codec("Problem", orrery.problem.Problem);
export const ProblemList = codec("ProblemList", orrery.problem.ProblemList);
