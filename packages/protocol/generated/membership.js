/** Generated from proto/membership.proto. */
import "./json.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.membership = (function() {

        const membership = {};

        membership.PeersRequest = (function() {

            const PeersRequest = function (properties) {
                this.knownNodes = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            PeersRequest.prototype.node = null;
            PeersRequest.prototype.knownNodes = $util.emptyArray;

            PeersRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.node != null && $Object.hasOwnProperty.call(message, "node"))
                    $root.orrery.json.JsonValue.encode(message.node, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.knownNodes != null && message.knownNodes.length)
                    for (let i = 0; i < message.knownNodes.length; ++i)
                        $root.orrery.json.JsonValue.encode(message.knownNodes[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            PeersRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.PeersRequest();
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
                            message.node = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.node);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.knownNodes && message.knownNodes.length))
                                message.knownNodes = [];
                            message.knownNodes.push($root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return PeersRequest;
        })();

        membership.PeersResponse = (function() {

            const PeersResponse = function (properties) {
                this.knownNodes = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            PeersResponse.prototype.node = null;
            PeersResponse.prototype.managerNode = null;
            PeersResponse.prototype.knownNodes = $util.emptyArray;
            PeersResponse.prototype.hasCluster = false;
            PeersResponse.prototype.clusterUuid = "";
            PeersResponse.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            PeersResponse.prototype.isLogLost = false;

            PeersResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.node != null && $Object.hasOwnProperty.call(message, "node"))
                    $root.orrery.json.JsonValue.encode(message.node, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.managerNode != null && $Object.hasOwnProperty.call(message, "managerNode"))
                    $root.orrery.json.JsonValue.encode(message.managerNode, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.knownNodes != null && message.knownNodes.length)
                    for (let i = 0; i < message.knownNodes.length; ++i)
                        $root.orrery.json.JsonValue.encode(message.knownNodes[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.hasCluster != null && $Object.hasOwnProperty.call(message, "hasCluster") && message.hasCluster !== false)
                    writer.uint32(32).bool(message.hasCluster);
                if (message.clusterUuid != null && $Object.hasOwnProperty.call(message, "clusterUuid") && message.clusterUuid !== "")
                    writer.uint32(42).string(message.clusterUuid);
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(48).uint64(message.term);
                if (message.isLogLost != null && $Object.hasOwnProperty.call(message, "isLogLost") && message.isLogLost !== false)
                    writer.uint32(56).bool(message.isLogLost);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            PeersResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.PeersResponse();
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
                            message.node = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.node);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.managerNode = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.managerNode);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.knownNodes && message.knownNodes.length))
                                message.knownNodes = [];
                            message.knownNodes.push($root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.hasCluster = value;
                            else
                                delete message.hasCluster;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.clusterUuid = value;
                            else
                                delete message.clusterUuid;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.term = value;
                            else
                                delete message.term;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isLogLost = value;
                            else
                                delete message.isLogLost;
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

            return PeersResponse;
        })();

        membership.ManagerElected = (function() {

            const ManagerElected = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ManagerElected.prototype.node = null;

            ManagerElected.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.node != null && $Object.hasOwnProperty.call(message, "node"))
                    $root.orrery.json.JsonValue.encode(message.node, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ManagerElected.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.ManagerElected();
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
                            message.node = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.node);
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

            return ManagerElected;
        })();

        membership.JoinRequest = (function() {

            const JoinRequest = function (properties) {
                this.skipped = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            JoinRequest.prototype.node = null;
            JoinRequest.prototype.clusterUuid = "";
            JoinRequest.prototype.raftId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            JoinRequest.prototype.hasLog = false;
            JoinRequest.prototype.isLogLost = false;
            JoinRequest.prototype.skipped = $util.emptyArray;
            JoinRequest.prototype.appliedIndex = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            JoinRequest.prototype.startedIndex = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            JoinRequest.prototype.startedTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            JoinRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.node != null && $Object.hasOwnProperty.call(message, "node"))
                    $root.orrery.json.JsonValue.encode(message.node, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.clusterUuid != null && $Object.hasOwnProperty.call(message, "clusterUuid") && message.clusterUuid !== "")
                    writer.uint32(18).string(message.clusterUuid);
                if (message.raftId != null && $Object.hasOwnProperty.call(message, "raftId") && (typeof message.raftId === "object" ? message.raftId.low || message.raftId.high : message.raftId !== 0))
                    writer.uint32(24).uint64(message.raftId);
                if (message.hasLog != null && $Object.hasOwnProperty.call(message, "hasLog") && message.hasLog !== false)
                    writer.uint32(32).bool(message.hasLog);
                if (message.isLogLost != null && $Object.hasOwnProperty.call(message, "isLogLost") && message.isLogLost !== false)
                    writer.uint32(40).bool(message.isLogLost);
                if (message.skipped != null && message.skipped.length)
                    writer.uint32(50).uint64s(message.skipped);
                if (message.appliedIndex != null && $Object.hasOwnProperty.call(message, "appliedIndex") && (typeof message.appliedIndex === "object" ? message.appliedIndex.low || message.appliedIndex.high : message.appliedIndex !== 0))
                    writer.uint32(56).uint64(message.appliedIndex);
                if (message.startedIndex != null && $Object.hasOwnProperty.call(message, "startedIndex") && (typeof message.startedIndex === "object" ? message.startedIndex.low || message.startedIndex.high : message.startedIndex !== 0))
                    writer.uint32(64).uint64(message.startedIndex);
                if (message.startedTerm != null && $Object.hasOwnProperty.call(message, "startedTerm") && (typeof message.startedTerm === "object" ? message.startedTerm.low || message.startedTerm.high : message.startedTerm !== 0))
                    writer.uint32(72).uint64(message.startedTerm);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            JoinRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.JoinRequest();
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
                            message.node = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.node);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.clusterUuid = value;
                            else
                                delete message.clusterUuid;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.raftId = value;
                            else
                                delete message.raftId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.hasLog = value;
                            else
                                delete message.hasLog;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isLogLost = value;
                            else
                                delete message.isLogLost;
                            continue;
                        }
                    case 6: {
                            if (wireType === 2) {
                                if (!(message.skipped && message.skipped.length))
                                    message.skipped = [];
                                reader.uint64s(message.skipped);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.skipped && message.skipped.length))
                                message.skipped = [];
                            message.skipped.push(reader.uint64());
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.appliedIndex = value;
                            else
                                delete message.appliedIndex;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.startedIndex = value;
                            else
                                delete message.startedIndex;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.startedTerm = value;
                            else
                                delete message.startedTerm;
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

            return JoinRequest;
        })();

        membership.JoinResponse = (function() {

            const JoinResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            JoinResponse.prototype.raftId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            JoinResponse.prototype.managerRaftId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            JoinResponse.prototype.isRolledBack = false;
            JoinResponse.prototype.clusterUuid = "";

            JoinResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.raftId != null && $Object.hasOwnProperty.call(message, "raftId") && (typeof message.raftId === "object" ? message.raftId.low || message.raftId.high : message.raftId !== 0))
                    writer.uint32(8).uint64(message.raftId);
                if (message.managerRaftId != null && $Object.hasOwnProperty.call(message, "managerRaftId") && (typeof message.managerRaftId === "object" ? message.managerRaftId.low || message.managerRaftId.high : message.managerRaftId !== 0))
                    writer.uint32(16).uint64(message.managerRaftId);
                if (message.clusterUuid != null && $Object.hasOwnProperty.call(message, "clusterUuid") && message.clusterUuid !== "")
                    writer.uint32(26).string(message.clusterUuid);
                if (message.isRolledBack != null && $Object.hasOwnProperty.call(message, "isRolledBack") && message.isRolledBack !== false)
                    writer.uint32(32).bool(message.isRolledBack);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            JoinResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.JoinResponse();
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
                                message.raftId = value;
                            else
                                delete message.raftId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.managerRaftId = value;
                            else
                                delete message.managerRaftId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isRolledBack = value;
                            else
                                delete message.isRolledBack;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.clusterUuid = value;
                            else
                                delete message.clusterUuid;
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

            return JoinResponse;
        })();

        membership.FollowerCheckRequest = (function() {

            const FollowerCheckRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FollowerCheckRequest.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            FollowerCheckRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(8).uint64(message.term);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FollowerCheckRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.FollowerCheckRequest();
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
                                message.term = value;
                            else
                                delete message.term;
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

            return FollowerCheckRequest;
        })();

        membership.FollowerCheckResponse = (function() {

            const FollowerCheckResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FollowerCheckResponse.prototype.appliedIndex = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FollowerCheckResponse.prototype.ephemeralId = "";
            FollowerCheckResponse.prototype.diskTotalBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FollowerCheckResponse.prototype.diskFreeBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FollowerCheckResponse.prototype.dataPath = "";

            FollowerCheckResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.appliedIndex != null && $Object.hasOwnProperty.call(message, "appliedIndex") && (typeof message.appliedIndex === "object" ? message.appliedIndex.low || message.appliedIndex.high : message.appliedIndex !== 0))
                    writer.uint32(8).uint64(message.appliedIndex);
                if (message.ephemeralId != null && $Object.hasOwnProperty.call(message, "ephemeralId") && message.ephemeralId !== "")
                    writer.uint32(18).string(message.ephemeralId);
                if (message.diskTotalBytes != null && $Object.hasOwnProperty.call(message, "diskTotalBytes") && (typeof message.diskTotalBytes === "object" ? message.diskTotalBytes.low || message.diskTotalBytes.high : message.diskTotalBytes !== 0))
                    writer.uint32(24).uint64(message.diskTotalBytes);
                if (message.diskFreeBytes != null && $Object.hasOwnProperty.call(message, "diskFreeBytes") && (typeof message.diskFreeBytes === "object" ? message.diskFreeBytes.low || message.diskFreeBytes.high : message.diskFreeBytes !== 0))
                    writer.uint32(32).uint64(message.diskFreeBytes);
                if (message.dataPath != null && $Object.hasOwnProperty.call(message, "dataPath") && message.dataPath !== "")
                    writer.uint32(42).string(message.dataPath);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FollowerCheckResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.FollowerCheckResponse();
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
                                message.appliedIndex = value;
                            else
                                delete message.appliedIndex;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.ephemeralId = value;
                            else
                                delete message.ephemeralId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.diskTotalBytes = value;
                            else
                                delete message.diskTotalBytes;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.diskFreeBytes = value;
                            else
                                delete message.diskFreeBytes;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.dataPath = value;
                            else
                                delete message.dataPath;
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

            return FollowerCheckResponse;
        })();

        membership.LeaderCheckRequest = (function() {

            const LeaderCheckRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            LeaderCheckRequest.prototype.node = null;

            LeaderCheckRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.node != null && $Object.hasOwnProperty.call(message, "node"))
                    $root.orrery.json.JsonValue.encode(message.node, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            LeaderCheckRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.membership.LeaderCheckRequest();
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
                            message.node = $root.orrery.json.JsonValue.decode(reader, reader.size(), $undefined, _depth + 1, message.node);
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

            return LeaderCheckRequest;
        })();

        return membership;
    })();

    return orrery;
})();

export {
  $root as default
};

export const PeersRequest = codec("PeersRequest", orrery.membership.PeersRequest);
export const PeersResponse = codec("PeersResponse", orrery.membership.PeersResponse);
export const ManagerElected = codec("ManagerElected", orrery.membership.ManagerElected);
export const JoinRequest = codec("JoinRequest", orrery.membership.JoinRequest);
export const JoinResponse = codec("JoinResponse", orrery.membership.JoinResponse);
export const FollowerCheckRequest = codec("FollowerCheckRequest", orrery.membership.FollowerCheckRequest);
export const FollowerCheckResponse = codec("FollowerCheckResponse", orrery.membership.FollowerCheckResponse);
export const LeaderCheckRequest = codec("LeaderCheckRequest", orrery.membership.LeaderCheckRequest);
