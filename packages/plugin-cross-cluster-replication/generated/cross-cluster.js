/** Generated from packages/plugin-cross-cluster-replication/proto/cross-cluster.proto. */
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.crosscluster = (function() {

        const crosscluster = {};

        crosscluster.RemoteShardRequest = (function() {

            const RemoteShardRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RemoteShardRequest.prototype.index = "";
            RemoteShardRequest.prototype.indexUuid = "";
            RemoteShardRequest.prototype.shard = 0;
            RemoteShardRequest.prototype.nodeId = "";
            RemoteShardRequest.prototype.body = $util.newBuffer([]);
            RemoteShardRequest.prototype.timeoutMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RemoteShardRequest.encode = function (message, writer, _depth) {
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
                if (message.nodeId != null && $Object.hasOwnProperty.call(message, "nodeId") && message.nodeId !== "")
                    writer.uint32(34).string(message.nodeId);
                if (message.body != null && $Object.hasOwnProperty.call(message, "body") && message.body.length)
                    writer.uint32(42).bytes(message.body);
                if (message.timeoutMs != null && $Object.hasOwnProperty.call(message, "timeoutMs") && (typeof message.timeoutMs === "object" ? message.timeoutMs.low || message.timeoutMs.high : message.timeoutMs !== 0))
                    writer.uint32(48).uint64(message.timeoutMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RemoteShardRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.RemoteShardRequest();
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
                                message.nodeId = value;
                            else
                                delete message.nodeId;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.body = value;
                            else
                                delete message.body;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeoutMs = value;
                            else
                                delete message.timeoutMs;
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

            return RemoteShardRequest;
        })();

        crosscluster.RemoteRequest = (function() {

            const RemoteRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RemoteRequest.prototype.alias = "";
            RemoteRequest.prototype.action = "";
            RemoteRequest.prototype.payload = $util.newBuffer([]);
            RemoteRequest.prototype.timeoutMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RemoteRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.alias != null && $Object.hasOwnProperty.call(message, "alias") && message.alias !== "")
                    writer.uint32(10).string(message.alias);
                if (message.action != null && $Object.hasOwnProperty.call(message, "action") && message.action !== "")
                    writer.uint32(18).string(message.action);
                if (message.payload != null && $Object.hasOwnProperty.call(message, "payload") && message.payload.length)
                    writer.uint32(26).bytes(message.payload);
                if (message.timeoutMs != null && $Object.hasOwnProperty.call(message, "timeoutMs") && (typeof message.timeoutMs === "object" ? message.timeoutMs.low || message.timeoutMs.high : message.timeoutMs !== 0))
                    writer.uint32(32).uint64(message.timeoutMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RemoteRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.RemoteRequest();
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
                                message.alias = value;
                            else
                                delete message.alias;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.action = value;
                            else
                                delete message.action;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.payload = value;
                            else
                                delete message.payload;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeoutMs = value;
                            else
                                delete message.timeoutMs;
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

            return RemoteRequest;
        })();

        crosscluster.ChangesRequest = (function() {

            const ChangesRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ChangesRequest.prototype.fromSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ChangesRequest.prototype.toSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ChangesRequest.prototype.waitMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            ChangesRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.fromSeqNo != null && $Object.hasOwnProperty.call(message, "fromSeqNo") && (typeof message.fromSeqNo === "object" ? message.fromSeqNo.low || message.fromSeqNo.high : message.fromSeqNo !== 0))
                    writer.uint32(8).sint64(message.fromSeqNo);
                if (message.toSeqNo != null && $Object.hasOwnProperty.call(message, "toSeqNo") && (typeof message.toSeqNo === "object" ? message.toSeqNo.low || message.toSeqNo.high : message.toSeqNo !== 0))
                    writer.uint32(16).sint64(message.toSeqNo);
                if (message.waitMs != null && $Object.hasOwnProperty.call(message, "waitMs") && (typeof message.waitMs === "object" ? message.waitMs.low || message.waitMs.high : message.waitMs !== 0))
                    writer.uint32(24).uint64(message.waitMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ChangesRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ChangesRequest();
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
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.fromSeqNo = value;
                            else
                                delete message.fromSeqNo;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.toSeqNo = value;
                            else
                                delete message.toSeqNo;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.waitMs = value;
                            else
                                delete message.waitMs;
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

            return ChangesRequest;
        })();

        crosscluster.ChangesResponse = (function() {

            const ChangesResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ChangesResponse.prototype.operations = $util.newBuffer([]);
            ChangesResponse.prototype.count = 0;
            ChangesResponse.prototype.lastSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ChangesResponse.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ChangesResponse.prototype.historyUuid = "";
            ChangesResponse.prototype.maxSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ChangesResponse.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            ChangesResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.operations != null && $Object.hasOwnProperty.call(message, "operations") && message.operations.length)
                    writer.uint32(10).bytes(message.operations);
                if (message.count != null && $Object.hasOwnProperty.call(message, "count") && message.count !== 0)
                    writer.uint32(16).uint32(message.count);
                if (message.lastSeqNo != null && $Object.hasOwnProperty.call(message, "lastSeqNo") && (typeof message.lastSeqNo === "object" ? message.lastSeqNo.low || message.lastSeqNo.high : message.lastSeqNo !== 0))
                    writer.uint32(24).sint64(message.lastSeqNo);
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(32).sint64(message.globalCheckpoint);
                if (message.historyUuid != null && $Object.hasOwnProperty.call(message, "historyUuid") && message.historyUuid !== "")
                    writer.uint32(42).string(message.historyUuid);
                if (message.maxSeqNo != null && $Object.hasOwnProperty.call(message, "maxSeqNo") && (typeof message.maxSeqNo === "object" ? message.maxSeqNo.low || message.maxSeqNo.high : message.maxSeqNo !== 0))
                    writer.uint32(48).sint64(message.maxSeqNo);
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(56).uint64(message.primaryTerm);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ChangesResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ChangesResponse();
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
                            if ((value = reader.bytes()).length)
                                message.operations = value;
                            else
                                delete message.operations;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.count = value;
                            else
                                delete message.count;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.lastSeqNo = value;
                            else
                                delete message.lastSeqNo;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.globalCheckpoint = value;
                            else
                                delete message.globalCheckpoint;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.historyUuid = value;
                            else
                                delete message.historyUuid;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxSeqNo = value;
                            else
                                delete message.maxSeqNo;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.primaryTerm = value;
                            else
                                delete message.primaryTerm;
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

            return ChangesResponse;
        })();

        crosscluster.ReplayRequest = (function() {

            const ReplayRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplayRequest.prototype.operations = $util.newBuffer([]);

            ReplayRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.operations != null && $Object.hasOwnProperty.call(message, "operations") && message.operations.length)
                    writer.uint32(10).bytes(message.operations);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplayRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ReplayRequest();
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
                            if ((value = reader.bytes()).length)
                                message.operations = value;
                            else
                                delete message.operations;
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

            return ReplayRequest;
        })();

        crosscluster.ReplayResponse = (function() {

            const ReplayResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplayResponse.prototype.localCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplayResponse.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplayResponse.prototype.mappingVersion = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ReplayResponse.prototype.mappingProblem = "";
            ReplayResponse.prototype.leaderHistoryUuid = "";

            ReplayResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.localCheckpoint != null && $Object.hasOwnProperty.call(message, "localCheckpoint") && (typeof message.localCheckpoint === "object" ? message.localCheckpoint.low || message.localCheckpoint.high : message.localCheckpoint !== 0))
                    writer.uint32(8).sint64(message.localCheckpoint);
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(16).sint64(message.globalCheckpoint);
                if (message.mappingVersion != null && $Object.hasOwnProperty.call(message, "mappingVersion") && (typeof message.mappingVersion === "object" ? message.mappingVersion.low || message.mappingVersion.high : message.mappingVersion !== 0))
                    writer.uint32(24).uint64(message.mappingVersion);
                if (message.mappingProblem != null && $Object.hasOwnProperty.call(message, "mappingProblem") && message.mappingProblem !== "")
                    writer.uint32(34).string(message.mappingProblem);
                if (message.leaderHistoryUuid != null && $Object.hasOwnProperty.call(message, "leaderHistoryUuid") && message.leaderHistoryUuid !== "")
                    writer.uint32(42).string(message.leaderHistoryUuid);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplayResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ReplayResponse();
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
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.localCheckpoint = value;
                            else
                                delete message.localCheckpoint;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.globalCheckpoint = value;
                            else
                                delete message.globalCheckpoint;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.mappingVersion = value;
                            else
                                delete message.mappingVersion;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.mappingProblem = value;
                            else
                                delete message.mappingProblem;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.leaderHistoryUuid = value;
                            else
                                delete message.leaderHistoryUuid;
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

            return ReplayResponse;
        })();

        crosscluster.LeaseRequest = (function() {

            const LeaseRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            LeaseRequest.prototype.id = "";
            LeaseRequest.prototype.retainingSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            LeaseRequest.prototype.source = "";

            LeaseRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(10).string(message.id);
                if (message.retainingSeqNo != null && $Object.hasOwnProperty.call(message, "retainingSeqNo") && (typeof message.retainingSeqNo === "object" ? message.retainingSeqNo.low || message.retainingSeqNo.high : message.retainingSeqNo !== 0))
                    writer.uint32(16).sint64(message.retainingSeqNo);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
                    writer.uint32(26).string(message.source);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            LeaseRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.LeaseRequest();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.retainingSeqNo = value;
                            else
                                delete message.retainingSeqNo;
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

            return LeaseRequest;
        })();

        crosscluster.OpenFilesRequest = (function() {

            const OpenFilesRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            OpenFilesRequest.prototype.session = "";
            OpenFilesRequest.prototype.lease = null;

            OpenFilesRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.session != null && $Object.hasOwnProperty.call(message, "session") && message.session !== "")
                    writer.uint32(10).string(message.session);
                if (message.lease != null && $Object.hasOwnProperty.call(message, "lease"))
                    $root.orrery.crosscluster.LeaseRequest.encode(message.lease, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            OpenFilesRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.OpenFilesRequest();
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
                                message.session = value;
                            else
                                delete message.session;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.lease = $root.orrery.crosscluster.LeaseRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.lease);
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

            return OpenFilesRequest;
        })();

        crosscluster.SessionFile = (function() {

            const SessionFile = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SessionFile.prototype.name = "";
            SessionFile.prototype.sizeBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            SessionFile.prototype.checksum = 0;

            SessionFile.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(10).string(message.name);
                if (message.sizeBytes != null && $Object.hasOwnProperty.call(message, "sizeBytes") && (typeof message.sizeBytes === "object" ? message.sizeBytes.low || message.sizeBytes.high : message.sizeBytes !== 0))
                    writer.uint32(16).uint64(message.sizeBytes);
                if (message.checksum != null && $Object.hasOwnProperty.call(message, "checksum") && message.checksum !== 0)
                    writer.uint32(24).uint32(message.checksum);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SessionFile.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.SessionFile();
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
                                message.sizeBytes = value;
                            else
                                delete message.sizeBytes;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
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

            return SessionFile;
        })();

        crosscluster.OpenFilesResponse = (function() {

            const OpenFilesResponse = function (properties) {
                this.files = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            OpenFilesResponse.prototype.nodeId = "";
            OpenFilesResponse.prototype.commit = $util.newBuffer([]);
            OpenFilesResponse.prototype.files = $util.emptyArray;

            OpenFilesResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.nodeId != null && $Object.hasOwnProperty.call(message, "nodeId") && message.nodeId !== "")
                    writer.uint32(10).string(message.nodeId);
                if (message.commit != null && $Object.hasOwnProperty.call(message, "commit") && message.commit.length)
                    writer.uint32(18).bytes(message.commit);
                if (message.files != null && message.files.length)
                    for (let i = 0; i < message.files.length; ++i)
                        $root.orrery.crosscluster.SessionFile.encode(message.files[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            OpenFilesResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.OpenFilesResponse();
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
                                message.nodeId = value;
                            else
                                delete message.nodeId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.commit = value;
                            else
                                delete message.commit;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.files && message.files.length))
                                message.files = [];
                            message.files.push($root.orrery.crosscluster.SessionFile.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return OpenFilesResponse;
        })();

        crosscluster.ReadFileRequest = (function() {

            const ReadFileRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReadFileRequest.prototype.session = "";
            ReadFileRequest.prototype.name = "";
            ReadFileRequest.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ReadFileRequest.prototype.length = 0;

            ReadFileRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.session != null && $Object.hasOwnProperty.call(message, "session") && message.session !== "")
                    writer.uint32(10).string(message.session);
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(18).string(message.name);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
                    writer.uint32(24).uint64(message.offset);
                if (message.length != null && $Object.hasOwnProperty.call(message, "length") && message.length !== 0)
                    writer.uint32(32).uint32(message.length);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReadFileRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ReadFileRequest();
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
                                message.session = value;
                            else
                                delete message.session;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.name = value;
                            else
                                delete message.name;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.offset = value;
                            else
                                delete message.offset;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.length = value;
                            else
                                delete message.length;
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

            return ReadFileRequest;
        })();

        crosscluster.ReadFileResponse = (function() {

            const ReadFileResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReadFileResponse.prototype.content = $util.newBuffer([]);

            ReadFileResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
                    writer.uint32(10).bytes(message.content);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReadFileResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.ReadFileResponse();
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
                            if ((value = reader.bytes()).length)
                                message.content = value;
                            else
                                delete message.content;
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

            return ReadFileResponse;
        })();

        crosscluster.CloseFilesRequest = (function() {

            const CloseFilesRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CloseFilesRequest.prototype.session = "";

            CloseFilesRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.session != null && $Object.hasOwnProperty.call(message, "session") && message.session !== "")
                    writer.uint32(10).string(message.session);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CloseFilesRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.crosscluster.CloseFilesRequest();
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
                                message.session = value;
                            else
                                delete message.session;
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

            return CloseFilesRequest;
        })();

        return crosscluster;
    })();

    return orrery;
})();

export {
  $root as default
};

export const RemoteShardRequest = codec("RemoteShardRequest", orrery.crosscluster.RemoteShardRequest);
export const RemoteRequest = codec("RemoteRequest", orrery.crosscluster.RemoteRequest);
export const ChangesRequest = codec("ChangesRequest", orrery.crosscluster.ChangesRequest);
export const ChangesResponse = codec("ChangesResponse", orrery.crosscluster.ChangesResponse);
export const ReplayRequest = codec("ReplayRequest", orrery.crosscluster.ReplayRequest);
export const ReplayResponse = codec("ReplayResponse", orrery.crosscluster.ReplayResponse);
export const LeaseRequest = codec("LeaseRequest", orrery.crosscluster.LeaseRequest);
export const OpenFilesRequest = codec("OpenFilesRequest", orrery.crosscluster.OpenFilesRequest);
export const SessionFile = codec("SessionFile", orrery.crosscluster.SessionFile);
export const OpenFilesResponse = codec("OpenFilesResponse", orrery.crosscluster.OpenFilesResponse);
export const ReadFileRequest = codec("ReadFileRequest", orrery.crosscluster.ReadFileRequest);
export const ReadFileResponse = codec("ReadFileResponse", orrery.crosscluster.ReadFileResponse);
export const CloseFilesRequest = codec("CloseFilesRequest", orrery.crosscluster.CloseFilesRequest);
