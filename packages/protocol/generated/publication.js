/** Generated from proto/publication.proto. */
import "./json.js";
import "./problem.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.publication = (function() {

        const publication = {};

        publication.SubmitTaskRequest = (function() {

            const SubmitTaskRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SubmitTaskRequest.prototype.id = "";
            SubmitTaskRequest.prototype.task = $util.newBuffer([]);
            SubmitTaskRequest.prototype.source = "";
            SubmitTaskRequest.prototype.priority = "";
            SubmitTaskRequest.prototype.managerTimeoutMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            SubmitTaskRequest.prototype.ackTimeoutMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            SubmitTaskRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(10).string(message.id);
                if (message.task != null && $Object.hasOwnProperty.call(message, "task") && message.task.length)
                    writer.uint32(18).bytes(message.task);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
                    writer.uint32(26).string(message.source);
                if (message.priority != null && $Object.hasOwnProperty.call(message, "priority") && message.priority !== "")
                    writer.uint32(34).string(message.priority);
                if (message.managerTimeoutMs != null && $Object.hasOwnProperty.call(message, "managerTimeoutMs") && (typeof message.managerTimeoutMs === "object" ? message.managerTimeoutMs.low || message.managerTimeoutMs.high : message.managerTimeoutMs !== 0))
                    writer.uint32(40).int64(message.managerTimeoutMs);
                if (message.ackTimeoutMs != null && $Object.hasOwnProperty.call(message, "ackTimeoutMs") && (typeof message.ackTimeoutMs === "object" ? message.ackTimeoutMs.low || message.ackTimeoutMs.high : message.ackTimeoutMs !== 0))
                    writer.uint32(48).int64(message.ackTimeoutMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SubmitTaskRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.SubmitTaskRequest();
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
                                message.id = value;
                            else
                                delete message.id;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.task = value;
                            else
                                delete message.task;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.source = value;
                            else
                                delete message.source;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.priority = value;
                            else
                                delete message.priority;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.managerTimeoutMs = value;
                            else
                                delete message.managerTimeoutMs;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.ackTimeoutMs = value;
                            else
                                delete message.ackTimeoutMs;
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

            return SubmitTaskRequest;
        })();

        publication.SubmitTaskResponse = (function() {

            const SubmitTaskResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SubmitTaskResponse.prototype.acknowledged = false;
            SubmitTaskResponse.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            SubmitTaskResponse.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            SubmitTaskResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.acknowledged != null && $Object.hasOwnProperty.call(message, "acknowledged") && message.acknowledged !== false)
                    writer.uint32(8).bool(message.acknowledged);
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(16).uint64(message.index);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(24).uint64(message.version);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SubmitTaskResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.SubmitTaskResponse();
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
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.acknowledged = value;
                            else
                                delete message.acknowledged;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.version = value;
                            else
                                delete message.version;
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

            return SubmitTaskResponse;
        })();

        publication.ShardStartedRequest = (function() {

            const ShardStartedRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardStartedRequest.prototype.index = "";
            ShardStartedRequest.prototype.indexUuid = "";
            ShardStartedRequest.prototype.shard = 0;
            ShardStartedRequest.prototype.allocationId = "";
            ShardStartedRequest.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ShardStartedRequest.prototype.message = "";

            ShardStartedRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && message.index !== "")
                    writer.uint32(10).string(message.index);
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(18).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(24).uint32(message.shard);
                if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId !== "")
                    writer.uint32(34).string(message.allocationId);
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(40).uint64(message.primaryTerm);
                if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                    writer.uint32(50).string(message.message);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardStartedRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.ShardStartedRequest();
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
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shard = value;
                            else
                                delete message.shard;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.allocationId = value;
                            else
                                delete message.allocationId;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.primaryTerm = value;
                            else
                                delete message.primaryTerm;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.message = value;
                            else
                                delete message.message;
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

            return ShardStartedRequest;
        })();

        publication.ShardFailedRequest = (function() {

            const ShardFailedRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardFailedRequest.prototype.index = "";
            ShardFailedRequest.prototype.indexUuid = "";
            ShardFailedRequest.prototype.shard = 0;
            ShardFailedRequest.prototype.allocationId = "";
            ShardFailedRequest.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ShardFailedRequest.prototype.markAsStale = false;
            ShardFailedRequest.prototype.message = "";
            ShardFailedRequest.prototype.problem = null;

            ShardFailedRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && message.index !== "")
                    writer.uint32(10).string(message.index);
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(18).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(24).uint32(message.shard);
                if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId !== "")
                    writer.uint32(34).string(message.allocationId);
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(40).uint64(message.primaryTerm);
                if (message.markAsStale != null && $Object.hasOwnProperty.call(message, "markAsStale") && message.markAsStale !== false)
                    writer.uint32(48).bool(message.markAsStale);
                if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                    writer.uint32(58).string(message.message);
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(66).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardFailedRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.ShardFailedRequest();
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
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shard = value;
                            else
                                delete message.shard;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.allocationId = value;
                            else
                                delete message.allocationId;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.primaryTerm = value;
                            else
                                delete message.primaryTerm;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.markAsStale = value;
                            else
                                delete message.markAsStale;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.message = value;
                            else
                                delete message.message;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.problem = $root.orrery.problem.Problem.decode(reader, reader.size(), $undefined, _depth + 1, message.problem);
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

            return ShardFailedRequest;
        })();

        publication.StoredShardRequest = (function() {

            const StoredShardRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StoredShardRequest.prototype.index = "";
            StoredShardRequest.prototype.indexUuid = "";
            StoredShardRequest.prototype.shard = 0;

            StoredShardRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && message.index !== "")
                    writer.uint32(10).string(message.index);
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(18).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(24).uint32(message.shard);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StoredShardRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.StoredShardRequest();
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
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shard = value;
                            else
                                delete message.shard;
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

            return StoredShardRequest;
        })();

        publication.StoredShardResponse = (function() {

            const StoredShardResponse = function (properties) {
                this.files = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StoredShardResponse.prototype.exists = false;
            StoredShardResponse.prototype.allocationId = "";
            StoredShardResponse.prototype.wasPrimary = false;
            StoredShardResponse.prototype.storeException = "";
            StoredShardResponse.prototype.files = $util.emptyArray;
            StoredShardResponse.prototype.syncId = "";
            StoredShardResponse.prototype.sizeBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StoredShardResponse.prototype.nextSeqNo = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(StoredShardResponse.prototype, "_nextSeqNo", {
                get: $util.oneOfGetter($oneOfFields = ["nextSeqNo"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            StoredShardResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.exists != null && $Object.hasOwnProperty.call(message, "exists") && message.exists !== false)
                    writer.uint32(8).bool(message.exists);
                if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId !== "")
                    writer.uint32(18).string(message.allocationId);
                if (message.wasPrimary != null && $Object.hasOwnProperty.call(message, "wasPrimary") && message.wasPrimary !== false)
                    writer.uint32(24).bool(message.wasPrimary);
                if (message.storeException != null && $Object.hasOwnProperty.call(message, "storeException") && message.storeException !== "")
                    writer.uint32(34).string(message.storeException);
                if (message.files != null && message.files.length)
                    for (let i = 0; i < message.files.length; ++i)
                        $root.orrery.publication.StoredFile.encode(message.files[i], writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.syncId != null && $Object.hasOwnProperty.call(message, "syncId") && message.syncId !== "")
                    writer.uint32(50).string(message.syncId);
                if (message.sizeBytes != null && $Object.hasOwnProperty.call(message, "sizeBytes") && (typeof message.sizeBytes === "object" ? message.sizeBytes.low || message.sizeBytes.high : message.sizeBytes !== 0))
                    writer.uint32(56).uint64(message.sizeBytes);
                if (message.nextSeqNo != null && $Object.hasOwnProperty.call(message, "nextSeqNo"))
                    writer.uint32(64).uint64(message.nextSeqNo);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StoredShardResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.StoredShardResponse();
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
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.exists = value;
                            else
                                delete message.exists;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.allocationId = value;
                            else
                                delete message.allocationId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.wasPrimary = value;
                            else
                                delete message.wasPrimary;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.storeException = value;
                            else
                                delete message.storeException;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.files && message.files.length))
                                message.files = [];
                            message.files.push($root.orrery.publication.StoredFile.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.syncId = value;
                            else
                                delete message.syncId;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sizeBytes = value;
                            else
                                delete message.sizeBytes;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            message.nextSeqNo = reader.uint64();
                            message._nextSeqNo = "nextSeqNo";
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

            return StoredShardResponse;
        })();

        publication.StoredFile = (function() {

            const StoredFile = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StoredFile.prototype.name = "";
            StoredFile.prototype.lengthBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StoredFile.prototype.checksum = "";

            StoredFile.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(10).string(message.name);
                if (message.lengthBytes != null && $Object.hasOwnProperty.call(message, "lengthBytes") && (typeof message.lengthBytes === "object" ? message.lengthBytes.low || message.lengthBytes.high : message.lengthBytes !== 0))
                    writer.uint32(16).uint64(message.lengthBytes);
                if (message.checksum != null && $Object.hasOwnProperty.call(message, "checksum") && message.checksum !== "")
                    writer.uint32(26).string(message.checksum);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StoredFile.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.StoredFile();
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
                                message.name = value;
                            else
                                delete message.name;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.lengthBytes = value;
                            else
                                delete message.lengthBytes;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.checksum = value;
                            else
                                delete message.checksum;
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

            return StoredFile;
        })();

        publication.StateApplied = (function() {

            const StateApplied = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StateApplied.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StateApplied.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            StateApplied.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(8).uint64(message.index);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(16).uint64(message.version);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StateApplied.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.StateApplied();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.version = value;
                            else
                                delete message.version;
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

            return StateApplied;
        })();

        publication.ReadIndexResponse = (function() {

            const ReadIndexResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReadIndexResponse.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            ReadIndexResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(8).uint64(message.index);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReadIndexResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.ReadIndexResponse();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
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

            return ReadIndexResponse;
        })();

        publication.ManagerRequest = (function() {

            const ManagerRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ManagerRequest.prototype.body = null;

            ManagerRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.body != null && $Object.hasOwnProperty.call(message, "body"))
                    $root.orrery.json.JsonValue.encode(message.body, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ManagerRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.ManagerRequest();
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
                            message.body = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.body);
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

            return ManagerRequest;
        })();

        publication.ManagerResponse = (function() {

            const ManagerResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ManagerResponse.prototype.body = null;
            ManagerResponse.prototype.state = $util.newBuffer([]);
            ManagerResponse.prototype.acknowledged = false;
            ManagerResponse.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            ManagerResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.body != null && $Object.hasOwnProperty.call(message, "body"))
                    $root.orrery.json.JsonValue.encode(message.body, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state.length)
                    writer.uint32(18).bytes(message.state);
                if (message.acknowledged != null && $Object.hasOwnProperty.call(message, "acknowledged") && message.acknowledged !== false)
                    writer.uint32(24).bool(message.acknowledged);
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(32).uint64(message.index);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ManagerResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.publication.ManagerResponse();
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
                            message.body = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.body);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.acknowledged = value;
                            else
                                delete message.acknowledged;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
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

            return ManagerResponse;
        })();

        return publication;
    })();

    return orrery;
})();

export {
  $root as default
};

export const SubmitTaskRequest = codec("SubmitTaskRequest", orrery.publication.SubmitTaskRequest);
export const SubmitTaskResponse = codec("SubmitTaskResponse", orrery.publication.SubmitTaskResponse);
export const ShardStartedRequest = codec("ShardStartedRequest", orrery.publication.ShardStartedRequest);
export const ShardFailedRequest = codec("ShardFailedRequest", orrery.publication.ShardFailedRequest);
export const StoredShardRequest = codec("StoredShardRequest", orrery.publication.StoredShardRequest);
export const StoredShardResponse = codec("StoredShardResponse", orrery.publication.StoredShardResponse);
export const StoredFile = codec("StoredFile", orrery.publication.StoredFile);
export const StateApplied = codec("StateApplied", orrery.publication.StateApplied);
export const ReadIndexResponse = codec("ReadIndexResponse", orrery.publication.ReadIndexResponse);
export const ManagerRequest = codec("ManagerRequest", orrery.publication.ManagerRequest);
export const ManagerResponse = codec("ManagerResponse", orrery.publication.ManagerResponse);
