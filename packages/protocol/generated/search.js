/** Generated from proto/search.proto. */
import "./problem.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.search = (function() {

        const search = {};

        search.ShardSearchRequest = (function() {

            const ShardSearchRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardSearchRequest.prototype.index = "";
            ShardSearchRequest.prototype.indexUuid = "";
            ShardSearchRequest.prototype.shard = 0;
            ShardSearchRequest.prototype.allocationId = "";
            ShardSearchRequest.prototype.body = $util.newBuffer([]);
            ShardSearchRequest.prototype.aliasFilter = "";
            ShardSearchRequest.prototype.shardIndex = 0;
            ShardSearchRequest.prototype.nowMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ShardSearchRequest.prototype.keepContext = false;
            ShardSearchRequest.prototype.keepAliveMs = null;
            ShardSearchRequest.prototype.contextId = "";
            ShardSearchRequest.prototype.fetch = false;
            ShardSearchRequest.prototype.countOnly = false;
            ShardSearchRequest.prototype.preference = "";
            ShardSearchRequest.prototype.searchType = "";
            ShardSearchRequest.prototype.isScroll = false;
            ShardSearchRequest.prototype.clusterAlias = "";
            ShardSearchRequest.prototype.indexBoost = 0;
            ShardSearchRequest.prototype.statistics = $util.newBuffer([]);
            ShardSearchRequest.prototype.timeoutMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            ShardSearchRequest.prototype.isPointInTime = false;
            ShardSearchRequest.prototype.sliceShard = 0;
            ShardSearchRequest.prototype.sliceShards = 0;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ShardSearchRequest.prototype, "_keepAliveMs", {
                get: $util.oneOfGetter($oneOfFields = ["keepAliveMs"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ShardSearchRequest.encode = function (message, writer, _depth) {
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
                if (message.body != null && $Object.hasOwnProperty.call(message, "body") && message.body.length)
                    writer.uint32(42).bytes(message.body);
                if (message.aliasFilter != null && $Object.hasOwnProperty.call(message, "aliasFilter") && message.aliasFilter !== "")
                    writer.uint32(50).string(message.aliasFilter);
                if (message.shardIndex != null && $Object.hasOwnProperty.call(message, "shardIndex") && message.shardIndex !== 0)
                    writer.uint32(56).uint32(message.shardIndex);
                if (message.nowMs != null && $Object.hasOwnProperty.call(message, "nowMs") && (typeof message.nowMs === "object" ? message.nowMs.low || message.nowMs.high : message.nowMs !== 0))
                    writer.uint32(64).uint64(message.nowMs);
                if (message.keepContext != null && $Object.hasOwnProperty.call(message, "keepContext") && message.keepContext !== false)
                    writer.uint32(72).bool(message.keepContext);
                if (message.keepAliveMs != null && $Object.hasOwnProperty.call(message, "keepAliveMs"))
                    writer.uint32(80).sint64(message.keepAliveMs);
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(90).string(message.contextId);
                if (message.fetch != null && $Object.hasOwnProperty.call(message, "fetch") && message.fetch !== false)
                    writer.uint32(96).bool(message.fetch);
                if (message.countOnly != null && $Object.hasOwnProperty.call(message, "countOnly") && message.countOnly !== false)
                    writer.uint32(104).bool(message.countOnly);
                if (message.preference != null && $Object.hasOwnProperty.call(message, "preference") && message.preference !== "")
                    writer.uint32(114).string(message.preference);
                if (message.searchType != null && $Object.hasOwnProperty.call(message, "searchType") && message.searchType !== "")
                    writer.uint32(122).string(message.searchType);
                if (message.isScroll != null && $Object.hasOwnProperty.call(message, "isScroll") && message.isScroll !== false)
                    writer.uint32(128).bool(message.isScroll);
                if (message.clusterAlias != null && $Object.hasOwnProperty.call(message, "clusterAlias") && message.clusterAlias !== "")
                    writer.uint32(138).string(message.clusterAlias);
                if (message.indexBoost != null && $Object.hasOwnProperty.call(message, "indexBoost") && !$Object.is(message.indexBoost, 0))
                    writer.uint32(149).float(message.indexBoost);
                if (message.statistics != null && $Object.hasOwnProperty.call(message, "statistics") && message.statistics.length)
                    writer.uint32(154).bytes(message.statistics);
                if (message.timeoutMs != null && $Object.hasOwnProperty.call(message, "timeoutMs") && (typeof message.timeoutMs === "object" ? message.timeoutMs.low || message.timeoutMs.high : message.timeoutMs !== 0))
                    writer.uint32(160).uint64(message.timeoutMs);
                if (message.isPointInTime != null && $Object.hasOwnProperty.call(message, "isPointInTime") && message.isPointInTime !== false)
                    writer.uint32(168).bool(message.isPointInTime);
                if (message.sliceShard != null && $Object.hasOwnProperty.call(message, "sliceShard") && message.sliceShard !== 0)
                    writer.uint32(176).uint32(message.sliceShard);
                if (message.sliceShards != null && $Object.hasOwnProperty.call(message, "sliceShards") && message.sliceShards !== 0)
                    writer.uint32(184).uint32(message.sliceShards);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardSearchRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ShardSearchRequest();
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
                            if ((value = reader.bytes()).length)
                                message.body = value;
                            else
                                delete message.body;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.aliasFilter = value;
                            else
                                delete message.aliasFilter;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shardIndex = value;
                            else
                                delete message.shardIndex;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.nowMs = value;
                            else
                                delete message.nowMs;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.keepContext = value;
                            else
                                delete message.keepContext;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            message.keepAliveMs = reader.sint64();
                            message._keepAliveMs = "keepAliveMs";
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.fetch = value;
                            else
                                delete message.fetch;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.countOnly = value;
                            else
                                delete message.countOnly;
                            continue;
                        }
                    case 14: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.preference = value;
                            else
                                delete message.preference;
                            continue;
                        }
                    case 15: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.searchType = value;
                            else
                                delete message.searchType;
                            continue;
                        }
                    case 16: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isScroll = value;
                            else
                                delete message.isScroll;
                            continue;
                        }
                    case 17: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.clusterAlias = value;
                            else
                                delete message.clusterAlias;
                            continue;
                        }
                    case 18: {
                            if (wireType !== 5)
                                break;
                            if (!$Object.is(value = reader.float(), 0))
                                message.indexBoost = value;
                            else
                                delete message.indexBoost;
                            continue;
                        }
                    case 19: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.statistics = value;
                            else
                                delete message.statistics;
                            continue;
                        }
                    case 20: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeoutMs = value;
                            else
                                delete message.timeoutMs;
                            continue;
                        }
                    case 21: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isPointInTime = value;
                            else
                                delete message.isPointInTime;
                            continue;
                        }
                    case 22: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.sliceShard = value;
                            else
                                delete message.sliceShard;
                            continue;
                        }
                    case 23: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.sliceShards = value;
                            else
                                delete message.sliceShards;
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

            return ShardSearchRequest;
        })();

        search.ShardSearchRequests = (function() {

            const ShardSearchRequests = function (properties) {
                this.parts = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardSearchRequests.prototype.shared = null;
            ShardSearchRequests.prototype.parts = $util.emptyArray;
            ShardSearchRequests.prototype.partOf = null;
            ShardSearchRequests.prototype.whole = false;
            ShardSearchRequests.prototype.preFilter = false;

            ShardSearchRequests.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.shared != null && $Object.hasOwnProperty.call(message, "shared"))
                    $root.orrery.search.ShardSearchRequest.encode(message.shared, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.parts != null && message.parts.length)
                    for (let i = 0; i < message.parts.length; ++i)
                        $root.orrery.search.ShardSearchPart.encode(message.parts[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.partOf != null && $Object.hasOwnProperty.call(message, "partOf"))
                    $root.orrery.search.RequestName.encode(message.partOf, writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.whole != null && $Object.hasOwnProperty.call(message, "whole") && message.whole !== false)
                    writer.uint32(32).bool(message.whole);
                if (message.preFilter != null && $Object.hasOwnProperty.call(message, "preFilter") && message.preFilter !== false)
                    writer.uint32(40).bool(message.preFilter);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardSearchRequests.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ShardSearchRequests();
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
                            message.shared = $root.orrery.search.ShardSearchRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.shared);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.parts && message.parts.length))
                                message.parts = [];
                            message.parts.push($root.orrery.search.ShardSearchPart.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.partOf = $root.orrery.search.RequestName.decode(reader, reader.size(), $undefined, _depth + 1, message.partOf);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.whole = value;
                            else
                                delete message.whole;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.preFilter = value;
                            else
                                delete message.preFilter;
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

            return ShardSearchRequests;
        })();

        search.ShardSearchPart = (function() {

            const ShardSearchPart = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardSearchPart.prototype.index = "";
            ShardSearchPart.prototype.indexUuid = "";
            ShardSearchPart.prototype.shard = 0;
            ShardSearchPart.prototype.allocationId = "";
            ShardSearchPart.prototype.aliasFilter = "";
            ShardSearchPart.prototype.shardIndex = 0;
            ShardSearchPart.prototype.keepAliveMs = null;
            ShardSearchPart.prototype.contextId = "";
            ShardSearchPart.prototype.keepContext = false;
            ShardSearchPart.prototype.isPointInTime = false;
            ShardSearchPart.prototype.indexBoost = 0;
            ShardSearchPart.prototype.sliceShard = 0;
            ShardSearchPart.prototype.sliceShards = 0;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ShardSearchPart.prototype, "_keepAliveMs", {
                get: $util.oneOfGetter($oneOfFields = ["keepAliveMs"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ShardSearchPart.encode = function (message, writer, _depth) {
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
                if (message.aliasFilter != null && $Object.hasOwnProperty.call(message, "aliasFilter") && message.aliasFilter !== "")
                    writer.uint32(42).string(message.aliasFilter);
                if (message.shardIndex != null && $Object.hasOwnProperty.call(message, "shardIndex") && message.shardIndex !== 0)
                    writer.uint32(48).uint32(message.shardIndex);
                if (message.keepAliveMs != null && $Object.hasOwnProperty.call(message, "keepAliveMs"))
                    writer.uint32(56).sint64(message.keepAliveMs);
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(66).string(message.contextId);
                if (message.keepContext != null && $Object.hasOwnProperty.call(message, "keepContext") && message.keepContext !== false)
                    writer.uint32(72).bool(message.keepContext);
                if (message.isPointInTime != null && $Object.hasOwnProperty.call(message, "isPointInTime") && message.isPointInTime !== false)
                    writer.uint32(80).bool(message.isPointInTime);
                if (message.indexBoost != null && $Object.hasOwnProperty.call(message, "indexBoost") && !$Object.is(message.indexBoost, 0))
                    writer.uint32(93).float(message.indexBoost);
                if (message.sliceShard != null && $Object.hasOwnProperty.call(message, "sliceShard") && message.sliceShard !== 0)
                    writer.uint32(96).uint32(message.sliceShard);
                if (message.sliceShards != null && $Object.hasOwnProperty.call(message, "sliceShards") && message.sliceShards !== 0)
                    writer.uint32(104).uint32(message.sliceShards);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardSearchPart.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ShardSearchPart();
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
                            if ((value = reader.stringVerify()).length)
                                message.aliasFilter = value;
                            else
                                delete message.aliasFilter;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.shardIndex = value;
                            else
                                delete message.shardIndex;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            message.keepAliveMs = reader.sint64();
                            message._keepAliveMs = "keepAliveMs";
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.keepContext = value;
                            else
                                delete message.keepContext;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isPointInTime = value;
                            else
                                delete message.isPointInTime;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 5)
                                break;
                            if (!$Object.is(value = reader.float(), 0))
                                message.indexBoost = value;
                            else
                                delete message.indexBoost;
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.sliceShard = value;
                            else
                                delete message.sliceShard;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.sliceShards = value;
                            else
                                delete message.sliceShards;
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

            return ShardSearchPart;
        })();

        search.RequestName = (function() {

            const RequestName = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RequestName.prototype.from = "";
            RequestName.prototype.endpoint = 0;
            RequestName.prototype.correlationId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RequestName.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.from != null && $Object.hasOwnProperty.call(message, "from") && message.from !== "")
                    writer.uint32(10).string(message.from);
                if (message.endpoint != null && $Object.hasOwnProperty.call(message, "endpoint") && message.endpoint !== 0)
                    writer.uint32(16).uint32(message.endpoint);
                if (message.correlationId != null && $Object.hasOwnProperty.call(message, "correlationId") && (typeof message.correlationId === "object" ? message.correlationId.low || message.correlationId.high : message.correlationId !== 0))
                    writer.uint32(24).uint64(message.correlationId);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RequestName.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.RequestName();
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
                                message.from = value;
                            else
                                delete message.from;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.endpoint = value;
                            else
                                delete message.endpoint;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.correlationId = value;
                            else
                                delete message.correlationId;
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

            return RequestName;
        })();

        search.ShardResults = (function() {

            const ShardResults = function (properties) {
                this.results = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardResults.prototype.results = $util.emptyArray;
            ShardResults.prototype.whole = null;

            ShardResults.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.results != null && message.results.length)
                    for (let i = 0; i < message.results.length; ++i)
                        $root.orrery.search.ShardResult.encode(message.results[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.whole != null && $Object.hasOwnProperty.call(message, "whole"))
                    $root.orrery.search.WholeSearch.encode(message.whole, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardResults.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ShardResults();
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
                            if (!(message.results && message.results.length))
                                message.results = [];
                            message.results.push($root.orrery.search.ShardResult.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.whole = $root.orrery.search.WholeSearch.decode(reader, reader.size(), $undefined, _depth + 1, message.whole);
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

            return ShardResults;
        })();

        search.ShardResult = (function() {

            const ShardResult = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ShardResult.prototype.answer = $util.newBuffer([]);
            ShardResult.prototype.problem = null;
            ShardResult.prototype.skipped = false;

            ShardResult.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.answer != null && $Object.hasOwnProperty.call(message, "answer") && message.answer.length)
                    writer.uint32(10).bytes(message.answer);
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.skipped != null && $Object.hasOwnProperty.call(message, "skipped") && message.skipped !== false)
                    writer.uint32(24).bool(message.skipped);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ShardResult.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ShardResult();
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
                                message.answer = value;
                            else
                                delete message.answer;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.problem = $root.orrery.problem.Problem.decode(reader, reader.size(), $undefined, _depth + 1, message.problem);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.skipped = value;
                            else
                                delete message.skipped;
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

            return ShardResult;
        })();

        search.WholeSearch = (function() {

            const WholeSearch = function (properties) {
                this.results = [];
                this.failures = [];
                this.serviceTimeNs = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            WholeSearch.prototype.results = $util.emptyArray;
            WholeSearch.prototype.hits = $util.newBuffer([]);
            WholeSearch.prototype.failures = $util.emptyArray;
            WholeSearch.prototype.serviceTimeNs = $util.emptyArray;

            WholeSearch.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.results != null && message.results.length)
                    for (let i = 0; i < message.results.length; ++i)
                        writer.uint32(10).bytes(message.results[i]);
                if (message.hits != null && $Object.hasOwnProperty.call(message, "hits") && message.hits.length)
                    writer.uint32(18).bytes(message.hits);
                if (message.failures != null && message.failures.length)
                    for (let i = 0; i < message.failures.length; ++i)
                        $root.orrery.search.FetchFailure.encode(message.failures[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.serviceTimeNs != null && message.serviceTimeNs.length)
                    writer.uint32(34).uint64s(message.serviceTimeNs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            WholeSearch.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.WholeSearch();
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
                            if (!(message.results && message.results.length))
                                message.results = [];
                            message.results.push(reader.bytes());
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.hits = value;
                            else
                                delete message.hits;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.failures && message.failures.length))
                                message.failures = [];
                            message.failures.push($root.orrery.search.FetchFailure.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType === 2) {
                                if (!(message.serviceTimeNs && message.serviceTimeNs.length))
                                    message.serviceTimeNs = [];
                                reader.uint64s(message.serviceTimeNs);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.serviceTimeNs && message.serviceTimeNs.length))
                                message.serviceTimeNs = [];
                            message.serviceTimeNs.push(reader.uint64());
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

            return WholeSearch;
        })();

        search.FetchFailure = (function() {

            const FetchFailure = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FetchFailure.prototype.part = 0;
            FetchFailure.prototype.problem = null;

            FetchFailure.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.part != null && $Object.hasOwnProperty.call(message, "part") && message.part !== 0)
                    writer.uint32(8).uint32(message.part);
                if (message.problem != null && $Object.hasOwnProperty.call(message, "problem"))
                    $root.orrery.problem.Problem.encode(message.problem, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FetchFailure.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FetchFailure();
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
                                message.part = value;
                            else
                                delete message.part;
                            continue;
                        }
                    case 2: {
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

            return FetchFailure;
        })();

        search.CanMatchResponse = (function() {

            const CanMatchResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CanMatchResponse.prototype.matches = false;
            CanMatchResponse.prototype.sortBounds = "";

            CanMatchResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.matches != null && $Object.hasOwnProperty.call(message, "matches") && message.matches !== false)
                    writer.uint32(8).bool(message.matches);
                if (message.sortBounds != null && $Object.hasOwnProperty.call(message, "sortBounds") && message.sortBounds !== "")
                    writer.uint32(18).string(message.sortBounds);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CanMatchResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.CanMatchResponse();
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
                                message.matches = value;
                            else
                                delete message.matches;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.sortBounds = value;
                            else
                                delete message.sortBounds;
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

            return CanMatchResponse;
        })();

        search.StatisticsResponse = (function() {

            const StatisticsResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StatisticsResponse.prototype.statistics = $util.newBuffer([]);

            StatisticsResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.statistics != null && $Object.hasOwnProperty.call(message, "statistics") && message.statistics.length)
                    writer.uint32(10).bytes(message.statistics);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StatisticsResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.StatisticsResponse();
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
                                message.statistics = value;
                            else
                                delete message.statistics;
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

            return StatisticsResponse;
        })();

        search.QueryPhaseResponse = (function() {

            const QueryPhaseResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            QueryPhaseResponse.prototype.contextId = "";
            QueryPhaseResponse.prototype.result = $util.newBuffer([]);
            QueryPhaseResponse.prototype.fetched = $util.newBuffer([]);
            QueryPhaseResponse.prototype.serviceTimeNs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            QueryPhaseResponse.prototype.queueSize = 0;
            QueryPhaseResponse.prototype.count = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            QueryPhaseResponse.prototype.terminatedEarly = false;
            QueryPhaseResponse.prototype.scrollBody = $util.newBuffer([]);

            QueryPhaseResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(10).string(message.contextId);
                if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result.length)
                    writer.uint32(18).bytes(message.result);
                if (message.fetched != null && $Object.hasOwnProperty.call(message, "fetched") && message.fetched.length)
                    writer.uint32(26).bytes(message.fetched);
                if (message.serviceTimeNs != null && $Object.hasOwnProperty.call(message, "serviceTimeNs") && (typeof message.serviceTimeNs === "object" ? message.serviceTimeNs.low || message.serviceTimeNs.high : message.serviceTimeNs !== 0))
                    writer.uint32(32).uint64(message.serviceTimeNs);
                if (message.queueSize != null && $Object.hasOwnProperty.call(message, "queueSize") && message.queueSize !== 0)
                    writer.uint32(40).uint32(message.queueSize);
                if (message.count != null && $Object.hasOwnProperty.call(message, "count") && (typeof message.count === "object" ? message.count.low || message.count.high : message.count !== 0))
                    writer.uint32(48).uint64(message.count);
                if (message.terminatedEarly != null && $Object.hasOwnProperty.call(message, "terminatedEarly") && message.terminatedEarly !== false)
                    writer.uint32(56).bool(message.terminatedEarly);
                if (message.scrollBody != null && $Object.hasOwnProperty.call(message, "scrollBody") && message.scrollBody.length)
                    writer.uint32(66).bytes(message.scrollBody);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            QueryPhaseResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.QueryPhaseResponse();
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
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.result = value;
                            else
                                delete message.result;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.fetched = value;
                            else
                                delete message.fetched;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.serviceTimeNs = value;
                            else
                                delete message.serviceTimeNs;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.queueSize = value;
                            else
                                delete message.queueSize;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.count = value;
                            else
                                delete message.count;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.terminatedEarly = value;
                            else
                                delete message.terminatedEarly;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.scrollBody = value;
                            else
                                delete message.scrollBody;
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

            return QueryPhaseResponse;
        })();

        search.ScrollQueryRequest = (function() {

            const ScrollQueryRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ScrollQueryRequest.prototype.contextId = "";
            ScrollQueryRequest.prototype.keepAliveMs = null;
            ScrollQueryRequest.prototype.fetch = false;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ScrollQueryRequest.prototype, "_keepAliveMs", {
                get: $util.oneOfGetter($oneOfFields = ["keepAliveMs"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ScrollQueryRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(10).string(message.contextId);
                if (message.keepAliveMs != null && $Object.hasOwnProperty.call(message, "keepAliveMs"))
                    writer.uint32(16).sint64(message.keepAliveMs);
                if (message.fetch != null && $Object.hasOwnProperty.call(message, "fetch") && message.fetch !== false)
                    writer.uint32(24).bool(message.fetch);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ScrollQueryRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.ScrollQueryRequest();
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
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            message.keepAliveMs = reader.sint64();
                            message._keepAliveMs = "keepAliveMs";
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.fetch = value;
                            else
                                delete message.fetch;
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

            return ScrollQueryRequest;
        })();

        search.CreateContextRequest = (function() {

            const CreateContextRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CreateContextRequest.prototype.index = "";
            CreateContextRequest.prototype.indexUuid = "";
            CreateContextRequest.prototype.shard = 0;
            CreateContextRequest.prototype.allocationId = "";
            CreateContextRequest.prototype.keepAliveMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            CreateContextRequest.encode = function (message, writer, _depth) {
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
                if (message.keepAliveMs != null && $Object.hasOwnProperty.call(message, "keepAliveMs") && (typeof message.keepAliveMs === "object" ? message.keepAliveMs.low || message.keepAliveMs.high : message.keepAliveMs !== 0))
                    writer.uint32(40).uint64(message.keepAliveMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CreateContextRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.CreateContextRequest();
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
                                message.keepAliveMs = value;
                            else
                                delete message.keepAliveMs;
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

            return CreateContextRequest;
        })();

        search.CreateContextResponse = (function() {

            const CreateContextResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CreateContextResponse.prototype.contextId = "";

            CreateContextResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(10).string(message.contextId);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CreateContextResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.CreateContextResponse();
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
                                message.contextId = value;
                            else
                                delete message.contextId;
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

            return CreateContextResponse;
        })();

        search.UpdateContextRequest = (function() {

            const UpdateContextRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            UpdateContextRequest.prototype.contextId = "";
            UpdateContextRequest.prototype.pitId = "";
            UpdateContextRequest.prototype.createdMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            UpdateContextRequest.prototype.keepAliveMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            UpdateContextRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(10).string(message.contextId);
                if (message.pitId != null && $Object.hasOwnProperty.call(message, "pitId") && message.pitId !== "")
                    writer.uint32(18).string(message.pitId);
                if (message.createdMs != null && $Object.hasOwnProperty.call(message, "createdMs") && (typeof message.createdMs === "object" ? message.createdMs.low || message.createdMs.high : message.createdMs !== 0))
                    writer.uint32(24).uint64(message.createdMs);
                if (message.keepAliveMs != null && $Object.hasOwnProperty.call(message, "keepAliveMs") && (typeof message.keepAliveMs === "object" ? message.keepAliveMs.low || message.keepAliveMs.high : message.keepAliveMs !== 0))
                    writer.uint32(32).sint64(message.keepAliveMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            UpdateContextRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.UpdateContextRequest();
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
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pitId = value;
                            else
                                delete message.pitId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.createdMs = value;
                            else
                                delete message.createdMs;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.keepAliveMs = value;
                            else
                                delete message.keepAliveMs;
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

            return UpdateContextRequest;
        })();

        search.UpdateContextResponse = (function() {

            const UpdateContextResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            UpdateContextResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            UpdateContextResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.UpdateContextResponse();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    reader.skipType(tag & 7, _depth, tag);
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

            return UpdateContextResponse;
        })();

        search.FetchPhaseRequest = (function() {

            const FetchPhaseRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FetchPhaseRequest.prototype.indexUuid = "";
            FetchPhaseRequest.prototype.shard = 0;
            FetchPhaseRequest.prototype.contextId = "";
            FetchPhaseRequest.prototype.body = $util.newBuffer([]);
            FetchPhaseRequest.prototype.docs = $util.newBuffer([]);
            FetchPhaseRequest.prototype.freeContext = false;
            FetchPhaseRequest.prototype.nowMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FetchPhaseRequest.prototype.aliasFilter = "";
            FetchPhaseRequest.prototype.statistics = $util.newBuffer([]);

            FetchPhaseRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(10).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(16).uint32(message.shard);
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(26).string(message.contextId);
                if (message.body != null && $Object.hasOwnProperty.call(message, "body") && message.body.length)
                    writer.uint32(34).bytes(message.body);
                if (message.docs != null && $Object.hasOwnProperty.call(message, "docs") && message.docs.length)
                    writer.uint32(42).bytes(message.docs);
                if (message.freeContext != null && $Object.hasOwnProperty.call(message, "freeContext") && message.freeContext !== false)
                    writer.uint32(48).bool(message.freeContext);
                if (message.nowMs != null && $Object.hasOwnProperty.call(message, "nowMs") && (typeof message.nowMs === "object" ? message.nowMs.low || message.nowMs.high : message.nowMs !== 0))
                    writer.uint32(56).uint64(message.nowMs);
                if (message.aliasFilter != null && $Object.hasOwnProperty.call(message, "aliasFilter") && message.aliasFilter !== "")
                    writer.uint32(66).string(message.aliasFilter);
                if (message.statistics != null && $Object.hasOwnProperty.call(message, "statistics") && message.statistics.length)
                    writer.uint32(74).bytes(message.statistics);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FetchPhaseRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FetchPhaseRequest();
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
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
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
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.body = value;
                            else
                                delete message.body;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.docs = value;
                            else
                                delete message.docs;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.freeContext = value;
                            else
                                delete message.freeContext;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.nowMs = value;
                            else
                                delete message.nowMs;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.aliasFilter = value;
                            else
                                delete message.aliasFilter;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.statistics = value;
                            else
                                delete message.statistics;
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

            return FetchPhaseRequest;
        })();

        search.FetchPhaseRequests = (function() {

            const FetchPhaseRequests = function (properties) {
                this.parts = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FetchPhaseRequests.prototype.body = $util.newBuffer([]);
            FetchPhaseRequests.prototype.nowMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FetchPhaseRequests.prototype.parts = $util.emptyArray;
            FetchPhaseRequests.prototype.partOf = null;
            FetchPhaseRequests.prototype.statistics = $util.newBuffer([]);

            FetchPhaseRequests.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.body != null && $Object.hasOwnProperty.call(message, "body") && message.body.length)
                    writer.uint32(10).bytes(message.body);
                if (message.nowMs != null && $Object.hasOwnProperty.call(message, "nowMs") && (typeof message.nowMs === "object" ? message.nowMs.low || message.nowMs.high : message.nowMs !== 0))
                    writer.uint32(16).uint64(message.nowMs);
                if (message.parts != null && message.parts.length)
                    for (let i = 0; i < message.parts.length; ++i)
                        $root.orrery.search.FetchPhasePart.encode(message.parts[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.partOf != null && $Object.hasOwnProperty.call(message, "partOf"))
                    $root.orrery.search.RequestName.encode(message.partOf, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.statistics != null && $Object.hasOwnProperty.call(message, "statistics") && message.statistics.length)
                    writer.uint32(42).bytes(message.statistics);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FetchPhaseRequests.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FetchPhaseRequests();
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
                                message.body = value;
                            else
                                delete message.body;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.nowMs = value;
                            else
                                delete message.nowMs;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.parts && message.parts.length))
                                message.parts = [];
                            message.parts.push($root.orrery.search.FetchPhasePart.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.partOf = $root.orrery.search.RequestName.decode(reader, reader.size(), $undefined, _depth + 1, message.partOf);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.statistics = value;
                            else
                                delete message.statistics;
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

            return FetchPhaseRequests;
        })();

        search.FetchPhasePart = (function() {

            const FetchPhasePart = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FetchPhasePart.prototype.indexUuid = "";
            FetchPhasePart.prototype.shard = 0;
            FetchPhasePart.prototype.contextId = "";
            FetchPhasePart.prototype.docs = $util.newBuffer([]);
            FetchPhasePart.prototype.freeContext = false;
            FetchPhasePart.prototype.aliasFilter = "";

            FetchPhasePart.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(10).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(16).uint32(message.shard);
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(26).string(message.contextId);
                if (message.docs != null && $Object.hasOwnProperty.call(message, "docs") && message.docs.length)
                    writer.uint32(34).bytes(message.docs);
                if (message.freeContext != null && $Object.hasOwnProperty.call(message, "freeContext") && message.freeContext !== false)
                    writer.uint32(40).bool(message.freeContext);
                if (message.aliasFilter != null && $Object.hasOwnProperty.call(message, "aliasFilter") && message.aliasFilter !== "")
                    writer.uint32(50).string(message.aliasFilter);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FetchPhasePart.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FetchPhasePart();
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
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
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
                                message.contextId = value;
                            else
                                delete message.contextId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.docs = value;
                            else
                                delete message.docs;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.freeContext = value;
                            else
                                delete message.freeContext;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.aliasFilter = value;
                            else
                                delete message.aliasFilter;
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

            return FetchPhasePart;
        })();

        search.FetchPhaseResponse = (function() {

            const FetchPhaseResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FetchPhaseResponse.prototype.result = $util.newBuffer([]);

            FetchPhaseResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result.length)
                    writer.uint32(10).bytes(message.result);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FetchPhaseResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FetchPhaseResponse();
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
                                message.result = value;
                            else
                                delete message.result;
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

            return FetchPhaseResponse;
        })();

        search.FreeContextRequest = (function() {

            const FreeContextRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FreeContextRequest.prototype.indexUuid = "";
            FreeContextRequest.prototype.shard = 0;
            FreeContextRequest.prototype.contextId = "";

            FreeContextRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.indexUuid != null && $Object.hasOwnProperty.call(message, "indexUuid") && message.indexUuid !== "")
                    writer.uint32(10).string(message.indexUuid);
                if (message.shard != null && $Object.hasOwnProperty.call(message, "shard") && message.shard !== 0)
                    writer.uint32(16).uint32(message.shard);
                if (message.contextId != null && $Object.hasOwnProperty.call(message, "contextId") && message.contextId !== "")
                    writer.uint32(26).string(message.contextId);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FreeContextRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FreeContextRequest();
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
                                message.indexUuid = value;
                            else
                                delete message.indexUuid;
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
                                message.contextId = value;
                            else
                                delete message.contextId;
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

            return FreeContextRequest;
        })();

        search.FreeContextResponse = (function() {

            const FreeContextResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FreeContextResponse.prototype.freed = false;

            FreeContextResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.freed != null && $Object.hasOwnProperty.call(message, "freed") && message.freed !== false)
                    writer.uint32(8).bool(message.freed);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FreeContextResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.search.FreeContextResponse();
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
                                message.freed = value;
                            else
                                delete message.freed;
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

            return FreeContextResponse;
        })();

        return search;
    })();

    orrery.json = (function() {

        const json = {};

        json.JsonValue = (function() {

            const JsonValue = function (properties) {
                this.keys = [];
                this.items = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            JsonValue.prototype.kind = 0;
            JsonValue.prototype.number = 0;
            JsonValue.prototype.text = "";
            JsonValue.prototype.keys = $util.emptyArray;
            JsonValue.prototype.items = $util.emptyArray;

            JsonValue.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                    writer.uint32(8).uint32(message.kind);
                if (message.number != null && $Object.hasOwnProperty.call(message, "number") && !$Object.is(message.number, 0))
                    writer.uint32(17).double(message.number);
                if (message.text != null && $Object.hasOwnProperty.call(message, "text") && message.text !== "")
                    writer.uint32(26).string(message.text);
                if (message.keys != null && message.keys.length)
                    for (let i = 0; i < message.keys.length; ++i)
                        writer.uint32(34).string(message.keys[i]);
                if (message.items != null && message.items.length)
                    for (let i = 0; i < message.items.length; ++i)
                        $root.orrery.json.JsonValue.encode(message.items[i], writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            JsonValue.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.json.JsonValue();
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
                                message.kind = value;
                            else
                                delete message.kind;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 1)
                                break;
                            if (!$Object.is(value = reader.double(), 0))
                                message.number = value;
                            else
                                delete message.number;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.text = value;
                            else
                                delete message.text;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if (!(message.keys && message.keys.length))
                                message.keys = [];
                            message.keys.push(reader.stringVerify());
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.items && message.items.length))
                                message.items = [];
                            message.items.push($root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return JsonValue;
        })();

        return json;
    })();

    return orrery;
})();

export {
  $root as default
};

export const ShardSearchRequest = codec("ShardSearchRequest", orrery.search.ShardSearchRequest);
export const ShardSearchRequests = codec("ShardSearchRequests", orrery.search.ShardSearchRequests);
export const ShardSearchPart = codec("ShardSearchPart", orrery.search.ShardSearchPart);
export const RequestName = codec("RequestName", orrery.search.RequestName);
export const ShardResults = codec("ShardResults", orrery.search.ShardResults);
export const ShardResult = codec("ShardResult", orrery.search.ShardResult);
export const WholeSearch = codec("WholeSearch", orrery.search.WholeSearch);
export const FetchFailure = codec("FetchFailure", orrery.search.FetchFailure);
export const CanMatchResponse = codec("CanMatchResponse", orrery.search.CanMatchResponse);
export const StatisticsResponse = codec("StatisticsResponse", orrery.search.StatisticsResponse);
export const QueryPhaseResponse = codec("QueryPhaseResponse", orrery.search.QueryPhaseResponse);
export const ScrollQueryRequest = codec("ScrollQueryRequest", orrery.search.ScrollQueryRequest);
export const CreateContextRequest = codec("CreateContextRequest", orrery.search.CreateContextRequest);
export const CreateContextResponse = codec("CreateContextResponse", orrery.search.CreateContextResponse);
export const UpdateContextRequest = codec("UpdateContextRequest", orrery.search.UpdateContextRequest);
export const UpdateContextResponse = codec("UpdateContextResponse", orrery.search.UpdateContextResponse);
export const FetchPhaseRequest = codec("FetchPhaseRequest", orrery.search.FetchPhaseRequest);
export const FetchPhaseRequests = codec("FetchPhaseRequests", orrery.search.FetchPhaseRequests);
export const FetchPhasePart = codec("FetchPhasePart", orrery.search.FetchPhasePart);
export const FetchPhaseResponse = codec("FetchPhaseResponse", orrery.search.FetchPhaseResponse);
export const FreeContextRequest = codec("FreeContextRequest", orrery.search.FreeContextRequest);
export const FreeContextResponse = codec("FreeContextResponse", orrery.search.FreeContextResponse);
