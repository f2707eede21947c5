/** Generated from proto/document.proto. */
import "./json.js";
import "./problem.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.document = (function() {

        const document = {};

        document.BulkShardRequest = (function() {

            const BulkShardRequest = function (properties) {
                this.items = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            BulkShardRequest.prototype.index = "";
            BulkShardRequest.prototype.indexUuid = "";
            BulkShardRequest.prototype.shard = 0;
            BulkShardRequest.prototype.allocationId = "";
            BulkShardRequest.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkShardRequest.prototype.items = $util.emptyArray;
            BulkShardRequest.prototype.refresh = "";
            BulkShardRequest.prototype.waitForActiveShards = "";
            BulkShardRequest.prototype.timeoutMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkShardRequest.prototype.writeId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkShardRequest.prototype.attempt = 0;

            BulkShardRequest.encode = function (message, writer, _depth) {
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
                if (message.items != null && message.items.length)
                    for (let i = 0; i < message.items.length; ++i)
                        $root.orrery.document.BulkItem.encode(message.items[i], writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.refresh != null && $Object.hasOwnProperty.call(message, "refresh") && message.refresh !== "")
                    writer.uint32(58).string(message.refresh);
                if (message.waitForActiveShards != null && $Object.hasOwnProperty.call(message, "waitForActiveShards") && message.waitForActiveShards !== "")
                    writer.uint32(66).string(message.waitForActiveShards);
                if (message.timeoutMs != null && $Object.hasOwnProperty.call(message, "timeoutMs") && (typeof message.timeoutMs === "object" ? message.timeoutMs.low || message.timeoutMs.high : message.timeoutMs !== 0))
                    writer.uint32(72).uint64(message.timeoutMs);
                if (message.writeId != null && $Object.hasOwnProperty.call(message, "writeId") && (typeof message.writeId === "object" ? message.writeId.low || message.writeId.high : message.writeId !== 0))
                    writer.uint32(80).uint64(message.writeId);
                if (message.attempt != null && $Object.hasOwnProperty.call(message, "attempt") && message.attempt !== 0)
                    writer.uint32(88).uint32(message.attempt);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            BulkShardRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.BulkShardRequest();
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
                            if (!(message.items && message.items.length))
                                message.items = [];
                            message.items.push($root.orrery.document.BulkItem.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.refresh = value;
                            else
                                delete message.refresh;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.waitForActiveShards = value;
                            else
                                delete message.waitForActiveShards;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeoutMs = value;
                            else
                                delete message.timeoutMs;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.writeId = value;
                            else
                                delete message.writeId;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.attempt = value;
                            else
                                delete message.attempt;
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

            return BulkShardRequest;
        })();

        document.BulkItem = (function() {

            const BulkItem = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            BulkItem.prototype.operation = "";
            BulkItem.prototype.id = "";
            BulkItem.prototype.routing = "";
            BulkItem.prototype.source = $util.newBuffer([]);
            BulkItem.prototype.ifSeqNo = null;
            BulkItem.prototype.ifPrimaryTerm = null;
            BulkItem.prototype.version = null;
            BulkItem.prototype.versionType = "";
            BulkItem.prototype.autoGeneratedId = false;
            BulkItem.prototype.isRetry = false;
            BulkItem.prototype.retryOnConflict = 0;
            BulkItem.prototype.fetchSource = null;
            BulkItem.prototype.pipeline = "";
            BulkItem.prototype.onlyPlan = false;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(BulkItem.prototype, "_ifSeqNo", {
                get: $util.oneOfGetter($oneOfFields = ["ifSeqNo"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(BulkItem.prototype, "_ifPrimaryTerm", {
                get: $util.oneOfGetter($oneOfFields = ["ifPrimaryTerm"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(BulkItem.prototype, "_version", {
                get: $util.oneOfGetter($oneOfFields = ["version"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            BulkItem.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.operation != null && $Object.hasOwnProperty.call(message, "operation") && message.operation !== "")
                    writer.uint32(10).string(message.operation);
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(18).string(message.id);
                if (message.routing != null && $Object.hasOwnProperty.call(message, "routing") && message.routing !== "")
                    writer.uint32(26).string(message.routing);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source.length)
                    writer.uint32(34).bytes(message.source);
                if (message.ifSeqNo != null && $Object.hasOwnProperty.call(message, "ifSeqNo"))
                    writer.uint32(40).uint64(message.ifSeqNo);
                if (message.ifPrimaryTerm != null && $Object.hasOwnProperty.call(message, "ifPrimaryTerm"))
                    writer.uint32(48).uint64(message.ifPrimaryTerm);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    writer.uint32(56).uint64(message.version);
                if (message.versionType != null && $Object.hasOwnProperty.call(message, "versionType") && message.versionType !== "")
                    writer.uint32(66).string(message.versionType);
                if (message.autoGeneratedId != null && $Object.hasOwnProperty.call(message, "autoGeneratedId") && message.autoGeneratedId !== false)
                    writer.uint32(72).bool(message.autoGeneratedId);
                if (message.isRetry != null && $Object.hasOwnProperty.call(message, "isRetry") && message.isRetry !== false)
                    writer.uint32(80).bool(message.isRetry);
                if (message.retryOnConflict != null && $Object.hasOwnProperty.call(message, "retryOnConflict") && message.retryOnConflict !== 0)
                    writer.uint32(88).uint32(message.retryOnConflict);
                if (message.fetchSource != null && $Object.hasOwnProperty.call(message, "fetchSource"))
                    $root.orrery.document.WantedSource.encode(message.fetchSource, writer.uint32(98).fork(), _depth + 1).ldelim();
                if (message.pipeline != null && $Object.hasOwnProperty.call(message, "pipeline") && message.pipeline !== "")
                    writer.uint32(106).string(message.pipeline);
                if (message.onlyPlan != null && $Object.hasOwnProperty.call(message, "onlyPlan") && message.onlyPlan !== false)
                    writer.uint32(112).bool(message.onlyPlan);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            BulkItem.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.BulkItem();
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
                                message.operation = value;
                            else
                                delete message.operation;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.id = value;
                            else
                                delete message.id;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.routing = value;
                            else
                                delete message.routing;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.source = value;
                            else
                                delete message.source;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            message.ifSeqNo = reader.uint64();
                            message._ifSeqNo = "ifSeqNo";
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            message.ifPrimaryTerm = reader.uint64();
                            message._ifPrimaryTerm = "ifPrimaryTerm";
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            message.version = reader.uint64();
                            message._version = "version";
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.versionType = value;
                            else
                                delete message.versionType;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.autoGeneratedId = value;
                            else
                                delete message.autoGeneratedId;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isRetry = value;
                            else
                                delete message.isRetry;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.retryOnConflict = value;
                            else
                                delete message.retryOnConflict;
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            message.fetchSource = $root.orrery.document.WantedSource.decode(reader, reader.size(), $undefined, _depth + 1, message.fetchSource);
                            continue;
                        }
                    case 13: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pipeline = value;
                            else
                                delete message.pipeline;
                            continue;
                        }
                    case 14: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.onlyPlan = value;
                            else
                                delete message.onlyPlan;
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

            return BulkItem;
        })();

        document.WantedSource = (function() {

            const WantedSource = function (properties) {
                this.includes = [];
                this.excludes = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            WantedSource.prototype.none = false;
            WantedSource.prototype.includes = $util.emptyArray;
            WantedSource.prototype.excludes = $util.emptyArray;

            WantedSource.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.none != null && $Object.hasOwnProperty.call(message, "none") && message.none !== false)
                    writer.uint32(8).bool(message.none);
                if (message.includes != null && message.includes.length)
                    for (let i = 0; i < message.includes.length; ++i)
                        writer.uint32(18).string(message.includes[i]);
                if (message.excludes != null && message.excludes.length)
                    for (let i = 0; i < message.excludes.length; ++i)
                        writer.uint32(26).string(message.excludes[i]);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            WantedSource.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.WantedSource();
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
                                message.none = value;
                            else
                                delete message.none;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.includes && message.includes.length))
                                message.includes = [];
                            message.includes.push(reader.stringVerify());
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.excludes && message.excludes.length))
                                message.excludes = [];
                            message.excludes.push(reader.stringVerify());
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

            return WantedSource;
        })();

        document.BulkShardResponse = (function() {

            const BulkShardResponse = function (properties) {
                this.items = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            BulkShardResponse.prototype.items = $util.emptyArray;
            BulkShardResponse.prototype.shards = null;
            BulkShardResponse.prototype.forcedRefresh = false;

            BulkShardResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.items != null && message.items.length)
                    for (let i = 0; i < message.items.length; ++i)
                        $root.orrery.document.BulkItemResult.encode(message.items[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.shards != null && $Object.hasOwnProperty.call(message, "shards"))
                    $root.orrery.document.ShardInfo.encode(message.shards, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.forcedRefresh != null && $Object.hasOwnProperty.call(message, "forcedRefresh") && message.forcedRefresh !== false)
                    writer.uint32(24).bool(message.forcedRefresh);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            BulkShardResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.BulkShardResponse();
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
                            if (!(message.items && message.items.length))
                                message.items = [];
                            message.items.push($root.orrery.document.BulkItemResult.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.shards = $root.orrery.document.ShardInfo.decode(reader, reader.size(), $undefined, _depth + 1, message.shards);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.forcedRefresh = value;
                            else
                                delete message.forcedRefresh;
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

            return BulkShardResponse;
        })();

        document.ShardInfo = (function() {

            const ShardInfo = function (properties) {
                this.failures = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardInfo.prototype.total = 0;
            ShardInfo.prototype.successful = 0;
            ShardInfo.prototype.failures = $util.emptyArray;

            ShardInfo.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.total != null && $Object.hasOwnProperty.call(message, "total") && message.total !== 0)
                    writer.uint32(8).uint32(message.total);
                if (message.successful != null && $Object.hasOwnProperty.call(message, "successful") && message.successful !== 0)
                    writer.uint32(16).uint32(message.successful);
                if (message.failures != null && message.failures.length)
                    for (let i = 0; i < message.failures.length; ++i)
                        $root.orrery.document.ShardFailure.encode(message.failures[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardInfo.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.ShardInfo();
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
                            if (value = reader.uint32())
                                message.total = value;
                            else
                                delete message.total;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.successful = value;
                            else
                                delete message.successful;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.failures && message.failures.length))
                                message.failures = [];
                            message.failures.push($root.orrery.document.ShardFailure.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return ShardInfo;
        })();

        document.ShardFailure = (function() {

            const ShardFailure = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardFailure.prototype.index = "";
            ShardFailure.prototype.shard = 0;
            ShardFailure.prototype.nodeId = "";
            ShardFailure.prototype.primary = false;
            ShardFailure.prototype.status = "";
            ShardFailure.prototype.problem = null;

            ShardFailure.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && message.index !== "")
                    writer.uint32(10).string(message.index);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(16).uint32(message.shard);
                if (message.nodeId != null && $Object.hasOwnProperty.call(message, "nodeId") && message.nodeId !== "")
                    writer.uint32(26).string(message.nodeId);
                if (message.primary != null && $Object.hasOwnProperty.call(message, "primary") && message.primary !== false)
                    writer.uint32(32).bool(message.primary);
                if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== "")
                    writer.uint32(42).string(message.status);
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardFailure.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.ShardFailure();
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
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shard = value;
                            else
                                delete message.shard;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.nodeId = value;
                            else
                                delete message.nodeId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.primary = value;
                            else
                                delete message.primary;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.status = value;
                            else
                                delete message.status;
                            continue;
                        }
                    case 6: {
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

            return ShardFailure;
        })();

        document.BulkItemResult = (function() {

            const BulkItemResult = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            BulkItemResult.prototype.result = "";
            BulkItemResult.prototype.id = "";
            BulkItemResult.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkItemResult.prototype.seqNo = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkItemResult.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            BulkItemResult.prototype.status = 0;
            BulkItemResult.prototype.problem = null;
            BulkItemResult.prototype.get = $util.newBuffer([]);
            BulkItemResult.prototype.forcedRefresh = false;
            BulkItemResult.prototype.planned = null;

            BulkItemResult.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result !== "")
                    writer.uint32(10).string(message.result);
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(18).string(message.id);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(24).uint64(message.version);
                if (message.seqNo != null && $Object.hasOwnProperty.call(message, "seqNo") && (typeof message.seqNo === "object" ? message.seqNo.low || message.seqNo.high : message.seqNo !== 0))
                    writer.uint32(32).uint64(message.seqNo);
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(40).uint64(message.primaryTerm);
                if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                    writer.uint32(48).uint32(message.status);
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(58).fork(), _depth + 1).ldelim();
                if (message.get != null && $Object.hasOwnProperty.call(message, "get") && message.get.length)
                    writer.uint32(66).bytes(message.get);
                if (message.forcedRefresh != null && $Object.hasOwnProperty.call(message, "forcedRefresh") && message.forcedRefresh !== false)
                    writer.uint32(72).bool(message.forcedRefresh);
                if (message.planned != null && $Object.hasOwnProperty.call(message, "planned"))
                    $root.orrery.document.PlannedDocument.encode(message.planned, writer.uint32(82).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            BulkItemResult.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.BulkItemResult();
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
                                message.result = value;
                            else
                                delete message.result;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.id = value;
                            else
                                delete message.id;
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
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.seqNo = value;
                            else
                                delete message.seqNo;
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
                            if (value = reader.uint32())
                                message.status = value;
                            else
                                delete message.status;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            message.problem = $root.orrery.problem.Problem.decode(reader, reader.size(), $undefined, _depth + 1, message.problem);
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.get = value;
                            else
                                delete message.get;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.forcedRefresh = value;
                            else
                                delete message.forcedRefresh;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.planned = $root.orrery.document.PlannedDocument.decode(reader, reader.size(), $undefined, _depth + 1, message.planned);
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

            return BulkItemResult;
        })();

        document.PlannedDocument = (function() {

            const PlannedDocument = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            PlannedDocument.prototype.source = $util.newBuffer([]);
            PlannedDocument.prototype.routing = "";
            PlannedDocument.prototype.exists = false;

            PlannedDocument.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source.length)
                    writer.uint32(10).bytes(message.source);
                if (message.routing != null && $Object.hasOwnProperty.call(message, "routing") && message.routing !== "")
                    writer.uint32(18).string(message.routing);
                if (message.exists != null && $Object.hasOwnProperty.call(message, "exists") && message.exists !== false)
                    writer.uint32(24).bool(message.exists);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            PlannedDocument.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.PlannedDocument();
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
                                message.source = value;
                            else
                                delete message.source;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.routing = value;
                            else
                                delete message.routing;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.exists = value;
                            else
                                delete message.exists;
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

            return PlannedDocument;
        })();

        document.GetShardRequest = (function() {

            const GetShardRequest = function (properties) {
                this.items = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            GetShardRequest.prototype.index = "";
            GetShardRequest.prototype.indexUuid = "";
            GetShardRequest.prototype.shard = 0;
            GetShardRequest.prototype.allocationId = "";
            GetShardRequest.prototype.items = $util.emptyArray;
            GetShardRequest.prototype.realtime = false;
            GetShardRequest.prototype.refresh = false;

            GetShardRequest.encode = function (message, writer, _depth) {
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
                if (message.items != null && message.items.length)
                    for (let i = 0; i < message.items.length; ++i)
                        $root.orrery.document.GetItem.encode(message.items[i], writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.realtime != null && $Object.hasOwnProperty.call(message, "realtime") && message.realtime !== false)
                    writer.uint32(48).bool(message.realtime);
                if (message.refresh != null && $Object.hasOwnProperty.call(message, "refresh") && message.refresh !== false)
                    writer.uint32(56).bool(message.refresh);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            GetShardRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.GetShardRequest();
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
                            if (wireType !== 2)
                                break;
                            if (!(message.items && message.items.length))
                                message.items = [];
                            message.items.push($root.orrery.document.GetItem.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.realtime = value;
                            else
                                delete message.realtime;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.refresh = value;
                            else
                                delete message.refresh;
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

            return GetShardRequest;
        })();

        document.GetItem = (function() {

            const GetItem = function (properties) {
                this.storedFields = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            GetItem.prototype.id = "";
            GetItem.prototype.routing = "";
            GetItem.prototype.version = null;
            GetItem.prototype.versionType = "";
            GetItem.prototype.storedFields = $util.emptyArray;
            GetItem.prototype.source = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(GetItem.prototype, "_version", {
                get: $util.oneOfGetter($oneOfFields = ["version"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            GetItem.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(10).string(message.id);
                if (message.routing != null && $Object.hasOwnProperty.call(message, "routing") && message.routing !== "")
                    writer.uint32(18).string(message.routing);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    writer.uint32(24).uint64(message.version);
                if (message.versionType != null && $Object.hasOwnProperty.call(message, "versionType") && message.versionType !== "")
                    writer.uint32(34).string(message.versionType);
                if (message.storedFields != null && message.storedFields.length)
                    for (let i = 0; i < message.storedFields.length; ++i)
                        writer.uint32(42).string(message.storedFields[i]);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
                    $root.orrery.document.WantedSource.encode(message.source, writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            GetItem.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.GetItem();
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
                            if ((value = reader.stringVerify()).length)
                                message.routing = value;
                            else
                                delete message.routing;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            message.version = reader.uint64();
                            message._version = "version";
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.versionType = value;
                            else
                                delete message.versionType;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.storedFields && message.storedFields.length))
                                message.storedFields = [];
                            message.storedFields.push(reader.stringVerify());
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            message.source = $root.orrery.document.WantedSource.decode(reader, reader.size(), $undefined, _depth + 1, message.source);
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

            return GetItem;
        })();

        document.GetShardResponse = (function() {

            const GetShardResponse = function (properties) {
                this.items = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            GetShardResponse.prototype.items = $util.emptyArray;

            GetShardResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.items != null && message.items.length)
                    for (let i = 0; i < message.items.length; ++i)
                        $root.orrery.document.GetItemResult.encode(message.items[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            GetShardResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.GetShardResponse();
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
                            if (!(message.items && message.items.length))
                                message.items = [];
                            message.items.push($root.orrery.document.GetItemResult.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return GetShardResponse;
        })();

        document.GetItemResult = (function() {

            const GetItemResult = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            GetItemResult.prototype.found = false;
            GetItemResult.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            GetItemResult.prototype.seqNo = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            GetItemResult.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            GetItemResult.prototype.routing = "";
            GetItemResult.prototype.source = $util.newBuffer([]);
            GetItemResult.prototype.hasSource = false;
            GetItemResult.prototype.fields = null;
            GetItemResult.prototype.problem = null;

            GetItemResult.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.found != null && $Object.hasOwnProperty.call(message, "found") && message.found !== false)
                    writer.uint32(8).bool(message.found);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(16).uint64(message.version);
                if (message.seqNo != null && $Object.hasOwnProperty.call(message, "seqNo") && (typeof message.seqNo === "object" ? message.seqNo.low || message.seqNo.high : message.seqNo !== 0))
                    writer.uint32(24).uint64(message.seqNo);
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(32).uint64(message.primaryTerm);
                if (message.routing != null && $Object.hasOwnProperty.call(message, "routing") && message.routing !== "")
                    writer.uint32(42).string(message.routing);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source.length)
                    writer.uint32(50).bytes(message.source);
                if (message.hasSource != null && $Object.hasOwnProperty.call(message, "hasSource") && message.hasSource !== false)
                    writer.uint32(56).bool(message.hasSource);
                if (message.fields != null && $Object.hasOwnProperty.call(message, "fields"))
                    $root.orrery.json.JsonValue.encode(message.fields, writer.uint32(66).fork(), _depth + 1).ldelim();
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(74).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            GetItemResult.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.document.GetItemResult();
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
                                message.found = value;
                            else
                                delete message.found;
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.seqNo = value;
                            else
                                delete message.seqNo;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.primaryTerm = value;
                            else
                                delete message.primaryTerm;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.routing = value;
                            else
                                delete message.routing;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.source = value;
                            else
                                delete message.source;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.hasSource = value;
                            else
                                delete message.hasSource;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.fields = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.fields);
                            continue;
                        }
                    case 9: {
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

            return GetItemResult;
        })();

        return document;
    })();

    return orrery;
})();

export {
  $root as default
};

export const BulkShardRequest = codec("BulkShardRequest", orrery.document.BulkShardRequest);
export const BulkItem = codec("BulkItem", orrery.document.BulkItem);
export const WantedSource = codec("WantedSource", orrery.document.WantedSource);
export const BulkShardResponse = codec("BulkShardResponse", orrery.document.BulkShardResponse);
export const ShardInfo = codec("ShardInfo", orrery.document.ShardInfo);
export const ShardFailure = codec("ShardFailure", orrery.document.ShardFailure);
export const BulkItemResult = codec("BulkItemResult", orrery.document.BulkItemResult);
export const PlannedDocument = codec("PlannedDocument", orrery.document.PlannedDocument);
export const GetShardRequest = codec("GetShardRequest", orrery.document.GetShardRequest);
export const GetItem = codec("GetItem", orrery.document.GetItem);
export const GetShardResponse = codec("GetShardResponse", orrery.document.GetShardResponse);
export const GetItemResult = codec("GetItemResult", orrery.document.GetItemResult);
