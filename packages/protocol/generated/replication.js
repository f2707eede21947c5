/** Generated from proto/replication.proto. */
import "./json.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.replication = (function() {

        const replication = {};

        replication.ReplicaHeader = (function() {

            const ReplicaHeader = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplicaHeader.prototype.index = "";
            ReplicaHeader.prototype.indexUuid = "";
            ReplicaHeader.prototype.shard = 0;
            ReplicaHeader.prototype.allocationId = "";
            ReplicaHeader.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ReplicaHeader.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplicaHeader.prototype.maxSeqNoOfUpdates = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplicaHeader.prototype.mappingVersion = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            ReplicaHeader.encode = function (message, writer, _depth) {
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
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(48).sint64(message.globalCheckpoint);
                if (message.maxSeqNoOfUpdates != null && $Object.hasOwnProperty.call(message, "maxSeqNoOfUpdates") && (typeof message.maxSeqNoOfUpdates === "object" ? message.maxSeqNoOfUpdates.low || message.maxSeqNoOfUpdates.high : message.maxSeqNoOfUpdates !== 0))
                    writer.uint32(56).sint64(message.maxSeqNoOfUpdates);
                if (message.mappingVersion != null && $Object.hasOwnProperty.call(message, "mappingVersion") && (typeof message.mappingVersion === "object" ? message.mappingVersion.low || message.mappingVersion.high : message.mappingVersion !== 0))
                    writer.uint32(64).uint64(message.mappingVersion);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplicaHeader.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.ReplicaHeader();
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
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.globalCheckpoint = value;
                            else
                                delete message.globalCheckpoint;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxSeqNoOfUpdates = value;
                            else
                                delete message.maxSeqNoOfUpdates;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.mappingVersion = value;
                            else
                                delete message.mappingVersion;
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

            return ReplicaHeader;
        })();

        replication.ReplicaOperationsRequest = (function() {

            const ReplicaOperationsRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplicaOperationsRequest.prototype.header = null;
            ReplicaOperationsRequest.prototype.operations = $util.newBuffer([]);
            ReplicaOperationsRequest.prototype.refresh = "";
            ReplicaOperationsRequest.prototype.trimAboveSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplicaOperationsRequest.prototype.isResync = false;
            ReplicaOperationsRequest.prototype.maxUnsafeAutoIdMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            ReplicaOperationsRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.replication.ReplicaHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.operations != null && $Object.hasOwnProperty.call(message, "operations") && message.operations.length)
                    writer.uint32(18).bytes(message.operations);
                if (message.refresh != null && $Object.hasOwnProperty.call(message, "refresh") && message.refresh !== "")
                    writer.uint32(26).string(message.refresh);
                if (message.trimAboveSeqNo != null && $Object.hasOwnProperty.call(message, "trimAboveSeqNo") && (typeof message.trimAboveSeqNo === "object" ? message.trimAboveSeqNo.low || message.trimAboveSeqNo.high : message.trimAboveSeqNo !== 0))
                    writer.uint32(32).sint64(message.trimAboveSeqNo);
                if (message.isResync != null && $Object.hasOwnProperty.call(message, "isResync") && message.isResync !== false)
                    writer.uint32(40).bool(message.isResync);
                if (message.maxUnsafeAutoIdMs != null && $Object.hasOwnProperty.call(message, "maxUnsafeAutoIdMs") && (typeof message.maxUnsafeAutoIdMs === "object" ? message.maxUnsafeAutoIdMs.low || message.maxUnsafeAutoIdMs.high : message.maxUnsafeAutoIdMs !== 0))
                    writer.uint32(48).sint64(message.maxUnsafeAutoIdMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplicaOperationsRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.ReplicaOperationsRequest();
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
                            message.header = $root.orrery.replication.ReplicaHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.operations = value;
                            else
                                delete message.operations;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.refresh = value;
                            else
                                delete message.refresh;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.trimAboveSeqNo = value;
                            else
                                delete message.trimAboveSeqNo;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isResync = value;
                            else
                                delete message.isResync;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxUnsafeAutoIdMs = value;
                            else
                                delete message.maxUnsafeAutoIdMs;
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

            return ReplicaOperationsRequest;
        })();

        replication.ReplicaResponse = (function() {

            const ReplicaResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplicaResponse.prototype.localCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ReplicaResponse.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            ReplicaResponse.encode = function (message, writer, _depth) {
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
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplicaResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.ReplicaResponse();
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

            return ReplicaResponse;
        })();

        replication.ReplicaAdminRequest = (function() {

            const ReplicaAdminRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ReplicaAdminRequest.prototype.header = null;
            ReplicaAdminRequest.prototype.parameters = null;

            ReplicaAdminRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.replication.ReplicaHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.parameters != null && $Object.hasOwnProperty.call(message, "parameters"))
                    $root.orrery.json.JsonValue.encode(message.parameters, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ReplicaAdminRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.ReplicaAdminRequest();
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
                            message.header = $root.orrery.replication.ReplicaHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.parameters = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.parameters);
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

            return ReplicaAdminRequest;
        })();

        replication.GlobalCheckpointSyncRequest = (function() {

            const GlobalCheckpointSyncRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            GlobalCheckpointSyncRequest.prototype.header = null;

            GlobalCheckpointSyncRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.replication.ReplicaHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            GlobalCheckpointSyncRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.GlobalCheckpointSyncRequest();
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
                            message.header = $root.orrery.replication.ReplicaHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
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

            return GlobalCheckpointSyncRequest;
        })();

        replication.RetentionLeaseSyncRequest = (function() {

            const RetentionLeaseSyncRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RetentionLeaseSyncRequest.prototype.header = null;
            RetentionLeaseSyncRequest.prototype.leases = null;

            RetentionLeaseSyncRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.replication.ReplicaHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.leases != null && $Object.hasOwnProperty.call(message, "leases"))
                    $root.orrery.replication.RetentionLeases.encode(message.leases, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RetentionLeaseSyncRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.RetentionLeaseSyncRequest();
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
                            message.header = $root.orrery.replication.ReplicaHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.leases = $root.orrery.replication.RetentionLeases.decode(reader, reader.size(), $undefined, _depth + 1, message.leases);
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

            return RetentionLeaseSyncRequest;
        })();

        replication.RetentionLeases = (function() {

            const RetentionLeases = function (properties) {
                this.leases = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RetentionLeases.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RetentionLeases.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RetentionLeases.prototype.leases = $util.emptyArray;

            RetentionLeases.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(8).uint64(message.primaryTerm);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(16).uint64(message.version);
                if (message.leases != null && message.leases.length)
                    for (let i = 0; i < message.leases.length; ++i)
                        $root.orrery.replication.RetentionLease.encode(message.leases[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RetentionLeases.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.RetentionLeases();
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
                                message.primaryTerm = value;
                            else
                                delete message.primaryTerm;
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
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.leases && message.leases.length))
                                message.leases = [];
                            message.leases.push($root.orrery.replication.RetentionLease.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return RetentionLeases;
        })();

        replication.RetentionLease = (function() {

            const RetentionLease = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RetentionLease.prototype.id = "";
            RetentionLease.prototype.retainingSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            RetentionLease.prototype.timestampMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            RetentionLease.prototype.source = "";

            RetentionLease.encode = function (message, writer, _depth) {
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
                if (message.timestampMs != null && $Object.hasOwnProperty.call(message, "timestampMs") && (typeof message.timestampMs === "object" ? message.timestampMs.low || message.timestampMs.high : message.timestampMs !== 0))
                    writer.uint32(24).sint64(message.timestampMs);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
                    writer.uint32(34).string(message.source);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RetentionLease.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.replication.RetentionLease();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timestampMs = value;
                            else
                                delete message.timestampMs;
                            continue;
                        }
                    case 4: {
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

            return RetentionLease;
        })();

        return replication;
    })();

    return orrery;
})();

export {
  $root as default
};

export const ReplicaHeader = codec("ReplicaHeader", orrery.replication.ReplicaHeader);
export const ReplicaOperationsRequest = codec("ReplicaOperationsRequest", orrery.replication.ReplicaOperationsRequest);
export const ReplicaResponse = codec("ReplicaResponse", orrery.replication.ReplicaResponse);
export const ReplicaAdminRequest = codec("ReplicaAdminRequest", orrery.replication.ReplicaAdminRequest);
export const GlobalCheckpointSyncRequest = codec("GlobalCheckpointSyncRequest", orrery.replication.GlobalCheckpointSyncRequest);
export const RetentionLeaseSyncRequest = codec("RetentionLeaseSyncRequest", orrery.replication.RetentionLeaseSyncRequest);
export const RetentionLeases = codec("RetentionLeases", orrery.replication.RetentionLeases);
export const RetentionLease = codec("RetentionLease", orrery.replication.RetentionLease);
