/** Generated from proto/recovery.proto. */
import "./replication.js";
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.recovery = (function() {

        const recovery = {};

        recovery.RecoveryFile = (function() {

            const RecoveryFile = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RecoveryFile.prototype.name = "";
            RecoveryFile.prototype.sizeBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RecoveryFile.prototype.checksum = 0;

            RecoveryFile.encode = function (message, writer, _depth) {
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

            RecoveryFile.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.RecoveryFile();
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

            return RecoveryFile;
        })();

        recovery.StartRecoveryRequest = (function() {

            const StartRecoveryRequest = function (properties) {
                this.files = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StartRecoveryRequest.prototype.indexUuid = "";
            StartRecoveryRequest.prototype.shard = 0;
            StartRecoveryRequest.prototype.sourceAllocationId = "";
            StartRecoveryRequest.prototype.targetNodeId = "";
            StartRecoveryRequest.prototype.targetAllocationId = "";
            StartRecoveryRequest.prototype.recoveryId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StartRecoveryRequest.prototype.startingSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            StartRecoveryRequest.prototype.historyUuid = "";
            StartRecoveryRequest.prototype.files = $util.emptyArray;
            StartRecoveryRequest.prototype.isPrimaryRelocation = false;
            StartRecoveryRequest.prototype.stateVersion = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StartRecoveryRequest.prototype.asksAboutHandoff = false;
            StartRecoveryRequest.prototype.lastTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            StartRecoveryRequest.encode = function (message, writer, _depth) {
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
                if (message.sourceAllocationId != null && $Object.hasOwnProperty.call(message, "sourceAllocationId") && message.sourceAllocationId !== "")
                    writer.uint32(26).string(message.sourceAllocationId);
                if (message.targetNodeId != null && $Object.hasOwnProperty.call(message, "targetNodeId") && message.targetNodeId !== "")
                    writer.uint32(34).string(message.targetNodeId);
                if (message.targetAllocationId != null && $Object.hasOwnProperty.call(message, "targetAllocationId") && message.targetAllocationId !== "")
                    writer.uint32(42).string(message.targetAllocationId);
                if (message.recoveryId != null && $Object.hasOwnProperty.call(message, "recoveryId") && (typeof message.recoveryId === "object" ? message.recoveryId.low || message.recoveryId.high : message.recoveryId !== 0))
                    writer.uint32(48).uint64(message.recoveryId);
                if (message.startingSeqNo != null && $Object.hasOwnProperty.call(message, "startingSeqNo") && (typeof message.startingSeqNo === "object" ? message.startingSeqNo.low || message.startingSeqNo.high : message.startingSeqNo !== 0))
                    writer.uint32(56).sint64(message.startingSeqNo);
                if (message.historyUuid != null && $Object.hasOwnProperty.call(message, "historyUuid") && message.historyUuid !== "")
                    writer.uint32(66).string(message.historyUuid);
                if (message.files != null && message.files.length)
                    for (let i = 0; i < message.files.length; ++i)
                        $root.orrery.recovery.RecoveryFile.encode(message.files[i], writer.uint32(74).fork(), _depth + 1).ldelim();
                if (message.isPrimaryRelocation != null && $Object.hasOwnProperty.call(message, "isPrimaryRelocation") && message.isPrimaryRelocation !== false)
                    writer.uint32(80).bool(message.isPrimaryRelocation);
                if (message.stateVersion != null && $Object.hasOwnProperty.call(message, "stateVersion") && (typeof message.stateVersion === "object" ? message.stateVersion.low || message.stateVersion.high : message.stateVersion !== 0))
                    writer.uint32(88).uint64(message.stateVersion);
                if (message.asksAboutHandoff != null && $Object.hasOwnProperty.call(message, "asksAboutHandoff") && message.asksAboutHandoff !== false)
                    writer.uint32(96).bool(message.asksAboutHandoff);
                if (message.lastTerm != null && $Object.hasOwnProperty.call(message, "lastTerm") && (typeof message.lastTerm === "object" ? message.lastTerm.low || message.lastTerm.high : message.lastTerm !== 0))
                    writer.uint32(104).uint64(message.lastTerm);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StartRecoveryRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.StartRecoveryRequest();
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
                                message.sourceAllocationId = value;
                            else
                                delete message.sourceAllocationId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.targetNodeId = value;
                            else
                                delete message.targetNodeId;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.targetAllocationId = value;
                            else
                                delete message.targetAllocationId;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.recoveryId = value;
                            else
                                delete message.recoveryId;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.startingSeqNo = value;
                            else
                                delete message.startingSeqNo;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.historyUuid = value;
                            else
                                delete message.historyUuid;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if (!(message.files && message.files.length))
                                message.files = [];
                            message.files.push($root.orrery.recovery.RecoveryFile.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isPrimaryRelocation = value;
                            else
                                delete message.isPrimaryRelocation;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.stateVersion = value;
                            else
                                delete message.stateVersion;
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.asksAboutHandoff = value;
                            else
                                delete message.asksAboutHandoff;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.lastTerm = value;
                            else
                                delete message.lastTerm;
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

            return StartRecoveryRequest;
        })();

        recovery.StartRecoveryResponse = (function() {

            const StartRecoveryResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StartRecoveryResponse.prototype.wasOperationBased = false;
            StartRecoveryResponse.prototype.phase1Ms = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StartRecoveryResponse.prototype.phase2Ms = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            StartRecoveryResponse.prototype.operations = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            StartRecoveryResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.wasOperationBased != null && $Object.hasOwnProperty.call(message, "wasOperationBased") && message.wasOperationBased !== false)
                    writer.uint32(8).bool(message.wasOperationBased);
                if (message.phase1Ms != null && $Object.hasOwnProperty.call(message, "phase1Ms") && (typeof message.phase1Ms === "object" ? message.phase1Ms.low || message.phase1Ms.high : message.phase1Ms !== 0))
                    writer.uint32(16).uint64(message.phase1Ms);
                if (message.phase2Ms != null && $Object.hasOwnProperty.call(message, "phase2Ms") && (typeof message.phase2Ms === "object" ? message.phase2Ms.low || message.phase2Ms.high : message.phase2Ms !== 0))
                    writer.uint32(24).uint64(message.phase2Ms);
                if (message.operations != null && $Object.hasOwnProperty.call(message, "operations") && (typeof message.operations === "object" ? message.operations.low || message.operations.high : message.operations !== 0))
                    writer.uint32(32).uint64(message.operations);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StartRecoveryResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.StartRecoveryResponse();
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
                                message.wasOperationBased = value;
                            else
                                delete message.wasOperationBased;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.phase1Ms = value;
                            else
                                delete message.phase1Ms;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.phase2Ms = value;
                            else
                                delete message.phase2Ms;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
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

            return StartRecoveryResponse;
        })();

        recovery.RecoveryHeader = (function() {

            const RecoveryHeader = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RecoveryHeader.prototype.indexUuid = "";
            RecoveryHeader.prototype.shard = 0;
            RecoveryHeader.prototype.allocationId = "";
            RecoveryHeader.prototype.recoveryId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RecoveryHeader.encode = function (message, writer, _depth) {
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
                if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId !== "")
                    writer.uint32(26).string(message.allocationId);
                if (message.recoveryId != null && $Object.hasOwnProperty.call(message, "recoveryId") && (typeof message.recoveryId === "object" ? message.recoveryId.low || message.recoveryId.high : message.recoveryId !== 0))
                    writer.uint32(32).uint64(message.recoveryId);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RecoveryHeader.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.RecoveryHeader();
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
                                message.allocationId = value;
                            else
                                delete message.allocationId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.recoveryId = value;
                            else
                                delete message.recoveryId;
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

            return RecoveryHeader;
        })();

        recovery.FilesInfoRequest = (function() {

            const FilesInfoRequest = function (properties) {
                this.toSend = [];
                this.existing = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FilesInfoRequest.prototype.header = null;
            FilesInfoRequest.prototype.toSend = $util.emptyArray;
            FilesInfoRequest.prototype.existing = $util.emptyArray;
            FilesInfoRequest.prototype.totalOperations = 0;

            FilesInfoRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.toSend != null && message.toSend.length)
                    for (let i = 0; i < message.toSend.length; ++i)
                        $root.orrery.recovery.RecoveryFile.encode(message.toSend[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.existing != null && message.existing.length)
                    for (let i = 0; i < message.existing.length; ++i)
                        $root.orrery.recovery.RecoveryFile.encode(message.existing[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.totalOperations != null && $Object.hasOwnProperty.call(message, "totalOperations") && message.totalOperations !== 0)
                    writer.uint32(32).uint32(message.totalOperations);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FilesInfoRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.FilesInfoRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.toSend && message.toSend.length))
                                message.toSend = [];
                            message.toSend.push($root.orrery.recovery.RecoveryFile.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.existing && message.existing.length))
                                message.existing = [];
                            message.existing.push($root.orrery.recovery.RecoveryFile.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.totalOperations = value;
                            else
                                delete message.totalOperations;
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

            return FilesInfoRequest;
        })();

        recovery.FileChunkRequest = (function() {

            const FileChunkRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FileChunkRequest.prototype.header = null;
            FileChunkRequest.prototype.name = "";
            FileChunkRequest.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            FileChunkRequest.prototype.content = $util.newBuffer([]);
            FileChunkRequest.prototype.isLast = false;
            FileChunkRequest.prototype.sourceThrottleMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            FileChunkRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(18).string(message.name);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
                    writer.uint32(24).uint64(message.offset);
                if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
                    writer.uint32(34).bytes(message.content);
                if (message.isLast != null && $Object.hasOwnProperty.call(message, "isLast") && message.isLast !== false)
                    writer.uint32(40).bool(message.isLast);
                if (message.sourceThrottleMs != null && $Object.hasOwnProperty.call(message, "sourceThrottleMs") && (typeof message.sourceThrottleMs === "object" ? message.sourceThrottleMs.low || message.sourceThrottleMs.high : message.sourceThrottleMs !== 0))
                    writer.uint32(48).uint64(message.sourceThrottleMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FileChunkRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.FileChunkRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
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
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.content = value;
                            else
                                delete message.content;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.isLast = value;
                            else
                                delete message.isLast;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sourceThrottleMs = value;
                            else
                                delete message.sourceThrottleMs;
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

            return FileChunkRequest;
        })();

        recovery.CleanFilesRequest = (function() {

            const CleanFilesRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CleanFilesRequest.prototype.header = null;
            CleanFilesRequest.prototype.commit = $util.newBuffer([]);
            CleanFilesRequest.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            CleanFilesRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.commit != null && $Object.hasOwnProperty.call(message, "commit") && message.commit.length)
                    writer.uint32(18).bytes(message.commit);
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(24).sint64(message.globalCheckpoint);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CleanFilesRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.CleanFilesRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
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

            return CleanFilesRequest;
        })();

        recovery.PrepareOperationsRequest = (function() {

            const PrepareOperationsRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            PrepareOperationsRequest.prototype.header = null;
            PrepareOperationsRequest.prototype.totalOperations = 0;

            PrepareOperationsRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.totalOperations != null && $Object.hasOwnProperty.call(message, "totalOperations") && message.totalOperations !== 0)
                    writer.uint32(16).uint32(message.totalOperations);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            PrepareOperationsRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.PrepareOperationsRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.totalOperations = value;
                            else
                                delete message.totalOperations;
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

            return PrepareOperationsRequest;
        })();

        recovery.RecoverOperationsRequest = (function() {

            const RecoverOperationsRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RecoverOperationsRequest.prototype.header = null;
            RecoverOperationsRequest.prototype.operations = $util.newBuffer([]);
            RecoverOperationsRequest.prototype.totalOperations = 0;
            RecoverOperationsRequest.prototype.maxSeqNoOfUpdates = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            RecoverOperationsRequest.prototype.maxUnsafeAutoIdMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            RecoverOperationsRequest.prototype.mappingVersion = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RecoverOperationsRequest.prototype.leases = null;
            RecoverOperationsRequest.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RecoverOperationsRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.operations != null && $Object.hasOwnProperty.call(message, "operations") && message.operations.length)
                    writer.uint32(18).bytes(message.operations);
                if (message.totalOperations != null && $Object.hasOwnProperty.call(message, "totalOperations") && message.totalOperations !== 0)
                    writer.uint32(24).uint32(message.totalOperations);
                if (message.maxSeqNoOfUpdates != null && $Object.hasOwnProperty.call(message, "maxSeqNoOfUpdates") && (typeof message.maxSeqNoOfUpdates === "object" ? message.maxSeqNoOfUpdates.low || message.maxSeqNoOfUpdates.high : message.maxSeqNoOfUpdates !== 0))
                    writer.uint32(32).sint64(message.maxSeqNoOfUpdates);
                if (message.maxUnsafeAutoIdMs != null && $Object.hasOwnProperty.call(message, "maxUnsafeAutoIdMs") && (typeof message.maxUnsafeAutoIdMs === "object" ? message.maxUnsafeAutoIdMs.low || message.maxUnsafeAutoIdMs.high : message.maxUnsafeAutoIdMs !== 0))
                    writer.uint32(40).sint64(message.maxUnsafeAutoIdMs);
                if (message.mappingVersion != null && $Object.hasOwnProperty.call(message, "mappingVersion") && (typeof message.mappingVersion === "object" ? message.mappingVersion.low || message.mappingVersion.high : message.mappingVersion !== 0))
                    writer.uint32(48).uint64(message.mappingVersion);
                if (message.leases != null && $Object.hasOwnProperty.call(message, "leases"))
                    $root.orrery.replication.RetentionLeases.encode(message.leases, writer.uint32(58).fork(), _depth + 1).ldelim();
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(64).uint64(message.primaryTerm);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RecoverOperationsRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.RecoverOperationsRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
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
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.totalOperations = value;
                            else
                                delete message.totalOperations;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxSeqNoOfUpdates = value;
                            else
                                delete message.maxSeqNoOfUpdates;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxUnsafeAutoIdMs = value;
                            else
                                delete message.maxUnsafeAutoIdMs;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.mappingVersion = value;
                            else
                                delete message.mappingVersion;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            message.leases = $root.orrery.replication.RetentionLeases.decode(reader, reader.size(), $undefined, _depth + 1, message.leases);
                            continue;
                        }
                    case 8: {
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

            return RecoverOperationsRequest;
        })();

        recovery.FinalizeRecoveryRequest = (function() {

            const FinalizeRecoveryRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            FinalizeRecoveryRequest.prototype.header = null;
            FinalizeRecoveryRequest.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            FinalizeRecoveryRequest.prototype.trimAboveSeqNo = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            FinalizeRecoveryRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(16).sint64(message.globalCheckpoint);
                if (message.trimAboveSeqNo != null && $Object.hasOwnProperty.call(message, "trimAboveSeqNo") && (typeof message.trimAboveSeqNo === "object" ? message.trimAboveSeqNo.low || message.trimAboveSeqNo.high : message.trimAboveSeqNo !== 0))
                    writer.uint32(24).sint64(message.trimAboveSeqNo);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            FinalizeRecoveryRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.FinalizeRecoveryRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
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
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.trimAboveSeqNo = value;
                            else
                                delete message.trimAboveSeqNo;
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

            return FinalizeRecoveryRequest;
        })();

        recovery.HandoffRequest = (function() {

            const HandoffRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            HandoffRequest.prototype.header = null;
            HandoffRequest.prototype.context = null;
            HandoffRequest.prototype.leases = null;
            HandoffRequest.prototype.primaryTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            HandoffRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.header != null && $Object.hasOwnProperty.call(message, "header"))
                    $root.orrery.recovery.RecoveryHeader.encode(message.header, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.context != null && $Object.hasOwnProperty.call(message, "context"))
                    $root.orrery.recovery.PrimaryContext.encode(message.context, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.leases != null && $Object.hasOwnProperty.call(message, "leases"))
                    $root.orrery.replication.RetentionLeases.encode(message.leases, writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.primaryTerm != null && $Object.hasOwnProperty.call(message, "primaryTerm") && (typeof message.primaryTerm === "object" ? message.primaryTerm.low || message.primaryTerm.high : message.primaryTerm !== 0))
                    writer.uint32(32).uint64(message.primaryTerm);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            HandoffRequest.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.HandoffRequest();
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
                            message.header = $root.orrery.recovery.RecoveryHeader.decode(reader, reader.size(), $undefined, _depth + 1, message.header);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.context = $root.orrery.recovery.PrimaryContext.decode(reader, reader.size(), $undefined, _depth + 1, message.context);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.leases = $root.orrery.replication.RetentionLeases.decode(reader, reader.size(), $undefined, _depth + 1, message.leases);
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

            return HandoffRequest;
        })();

        recovery.PrimaryContext = (function() {

            const PrimaryContext = function (properties) {
                this.copies = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            PrimaryContext.prototype.stateVersion = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            PrimaryContext.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            PrimaryContext.prototype.copies = $util.emptyArray;

            PrimaryContext.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.stateVersion != null && $Object.hasOwnProperty.call(message, "stateVersion") && (typeof message.stateVersion === "object" ? message.stateVersion.low || message.stateVersion.high : message.stateVersion !== 0))
                    writer.uint32(8).uint64(message.stateVersion);
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(16).sint64(message.globalCheckpoint);
                if (message.copies != null && message.copies.length)
                    for (let i = 0; i < message.copies.length; ++i)
                        $root.orrery.recovery.CopyContext.encode(message.copies[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            PrimaryContext.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.PrimaryContext();
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
                                message.stateVersion = value;
                            else
                                delete message.stateVersion;
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
                            if (wireType !== 2)
                                break;
                            if (!(message.copies && message.copies.length))
                                message.copies = [];
                            message.copies.push($root.orrery.recovery.CopyContext.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return PrimaryContext;
        })();

        recovery.CopyContext = (function() {

            const CopyContext = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            CopyContext.prototype.allocationId = "";
            CopyContext.prototype.localCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            CopyContext.prototype.globalCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            CopyContext.prototype.inSync = false;
            CopyContext.prototype.tracked = false;

            CopyContext.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId !== "")
                    writer.uint32(10).string(message.allocationId);
                if (message.localCheckpoint != null && $Object.hasOwnProperty.call(message, "localCheckpoint") && (typeof message.localCheckpoint === "object" ? message.localCheckpoint.low || message.localCheckpoint.high : message.localCheckpoint !== 0))
                    writer.uint32(16).sint64(message.localCheckpoint);
                if (message.globalCheckpoint != null && $Object.hasOwnProperty.call(message, "globalCheckpoint") && (typeof message.globalCheckpoint === "object" ? message.globalCheckpoint.low || message.globalCheckpoint.high : message.globalCheckpoint !== 0))
                    writer.uint32(24).sint64(message.globalCheckpoint);
                if (message.inSync != null && $Object.hasOwnProperty.call(message, "inSync") && message.inSync !== false)
                    writer.uint32(32).bool(message.inSync);
                if (message.tracked != null && $Object.hasOwnProperty.call(message, "tracked") && message.tracked !== false)
                    writer.uint32(40).bool(message.tracked);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            CopyContext.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.CopyContext();
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
                                message.allocationId = value;
                            else
                                delete message.allocationId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.localCheckpoint = value;
                            else
                                delete message.localCheckpoint;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.globalCheckpoint = value;
                            else
                                delete message.globalCheckpoint;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.inSync = value;
                            else
                                delete message.inSync;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.tracked = value;
                            else
                                delete message.tracked;
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

            return CopyContext;
        })();

        recovery.RecoveryStepResponse = (function() {

            const RecoveryStepResponse = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RecoveryStepResponse.prototype.localCheckpoint = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            RecoveryStepResponse.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.localCheckpoint != null && $Object.hasOwnProperty.call(message, "localCheckpoint") && (typeof message.localCheckpoint === "object" ? message.localCheckpoint.low || message.localCheckpoint.high : message.localCheckpoint !== 0))
                    writer.uint32(8).sint64(message.localCheckpoint);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RecoveryStepResponse.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.recovery.RecoveryStepResponse();
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

            return RecoveryStepResponse;
        })();

        return recovery;
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

export const RecoveryFile = codec("RecoveryFile", orrery.recovery.RecoveryFile);
export const StartRecoveryRequest = codec("StartRecoveryRequest", orrery.recovery.StartRecoveryRequest);
export const StartRecoveryResponse = codec("StartRecoveryResponse", orrery.recovery.StartRecoveryResponse);
export const RecoveryHeader = codec("RecoveryHeader", orrery.recovery.RecoveryHeader);
export const FilesInfoRequest = codec("FilesInfoRequest", orrery.recovery.FilesInfoRequest);
export const FileChunkRequest = codec("FileChunkRequest", orrery.recovery.FileChunkRequest);
export const CleanFilesRequest = codec("CleanFilesRequest", orrery.recovery.CleanFilesRequest);
export const PrepareOperationsRequest = codec("PrepareOperationsRequest", orrery.recovery.PrepareOperationsRequest);
export const RecoverOperationsRequest = codec("RecoverOperationsRequest", orrery.recovery.RecoverOperationsRequest);
export const FinalizeRecoveryRequest = codec("FinalizeRecoveryRequest", orrery.recovery.FinalizeRecoveryRequest);
export const HandoffRequest = codec("HandoffRequest", orrery.recovery.HandoffRequest);
export const PrimaryContext = codec("PrimaryContext", orrery.recovery.PrimaryContext);
export const CopyContext = codec("CopyContext", orrery.recovery.CopyContext);
export const RecoveryStepResponse = codec("RecoveryStepResponse", orrery.recovery.RecoveryStepResponse);
