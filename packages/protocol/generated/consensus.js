/** Generated from proto/consensus.proto. */
import { codec, protobuf as $protobuf } from "@orrery/stdx/codec";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["orrery"] || ($protobuf.roots["orrery"] = {});

const orrery = $root.orrery = (() => {

    const orrery = $root.orrery || {};

    orrery.consensus = (function() {

        const consensus = {};

        consensus.RaftMessage = (function() {

            const RaftMessage = function (properties) {
                this.entries = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RaftMessage.prototype.kind = 0;
            RaftMessage.prototype.to = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.from = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.logTerm = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.commit = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.reject = false;
            RaftMessage.prototype.rejectHint = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftMessage.prototype.entries = $util.emptyArray;
            RaftMessage.prototype.snapshot = null;
            RaftMessage.prototype.context = $util.newBuffer([]);
            RaftMessage.prototype.vote = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RaftMessage.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                    writer.uint32(8).uint32(message.kind);
                if (message.to != null && $Object.hasOwnProperty.call(message, "to") && (typeof message.to === "object" ? message.to.low || message.to.high : message.to !== 0))
                    writer.uint32(16).uint64(message.to);
                if (message.from != null && $Object.hasOwnProperty.call(message, "from") && (typeof message.from === "object" ? message.from.low || message.from.high : message.from !== 0))
                    writer.uint32(24).uint64(message.from);
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(32).uint64(message.term);
                if (message.logTerm != null && $Object.hasOwnProperty.call(message, "logTerm") && (typeof message.logTerm === "object" ? message.logTerm.low || message.logTerm.high : message.logTerm !== 0))
                    writer.uint32(40).uint64(message.logTerm);
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(48).uint64(message.index);
                if (message.commit != null && $Object.hasOwnProperty.call(message, "commit") && (typeof message.commit === "object" ? message.commit.low || message.commit.high : message.commit !== 0))
                    writer.uint32(56).uint64(message.commit);
                if (message.reject != null && $Object.hasOwnProperty.call(message, "reject") && message.reject !== false)
                    writer.uint32(64).bool(message.reject);
                if (message.rejectHint != null && $Object.hasOwnProperty.call(message, "rejectHint") && (typeof message.rejectHint === "object" ? message.rejectHint.low || message.rejectHint.high : message.rejectHint !== 0))
                    writer.uint32(72).uint64(message.rejectHint);
                if (message.entries != null && message.entries.length)
                    for (let i = 0; i < message.entries.length; ++i)
                        $root.orrery.consensus.RaftEntry.encode(message.entries[i], writer.uint32(82).fork(), _depth + 1).ldelim();
                if (message.snapshot != null && $Object.hasOwnProperty.call(message, "snapshot"))
                    $root.orrery.consensus.RaftSnapshot.encode(message.snapshot, writer.uint32(90).fork(), _depth + 1).ldelim();
                if (message.context != null && $Object.hasOwnProperty.call(message, "context") && message.context.length)
                    writer.uint32(98).bytes(message.context);
                if (message.vote != null && $Object.hasOwnProperty.call(message, "vote") && (typeof message.vote === "object" ? message.vote.low || message.vote.high : message.vote !== 0))
                    writer.uint32(104).uint64(message.vote);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RaftMessage.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.RaftMessage();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.to = value;
                            else
                                delete message.to;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.from = value;
                            else
                                delete message.from;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.term = value;
                            else
                                delete message.term;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.logTerm = value;
                            else
                                delete message.logTerm;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.commit = value;
                            else
                                delete message.commit;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.reject = value;
                            else
                                delete message.reject;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.rejectHint = value;
                            else
                                delete message.rejectHint;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if (!(message.entries && message.entries.length))
                                message.entries = [];
                            message.entries.push($root.orrery.consensus.RaftEntry.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.snapshot = $root.orrery.consensus.RaftSnapshot.decode(reader, reader.size(), $undefined, _depth + 1, message.snapshot);
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.context = value;
                            else
                                delete message.context;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.vote = value;
                            else
                                delete message.vote;
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

            return RaftMessage;
        })();

        consensus.RaftEntry = (function() {

            const RaftEntry = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RaftEntry.prototype.kind = 0;
            RaftEntry.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftEntry.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftEntry.prototype.data = $util.newBuffer([]);

            RaftEntry.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                    writer.uint32(8).uint32(message.kind);
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(16).uint64(message.term);
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(24).uint64(message.index);
                if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
                    writer.uint32(34).bytes(message.data);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RaftEntry.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.RaftEntry();
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
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.term = value;
                            else
                                delete message.term;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.index = value;
                            else
                                delete message.index;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.data = value;
                            else
                                delete message.data;
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

            return RaftEntry;
        })();

        consensus.RaftSnapshot = (function() {

            const RaftSnapshot = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RaftSnapshot.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftSnapshot.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftSnapshot.prototype.confState = null;
            RaftSnapshot.prototype.data = $util.newBuffer([]);

            RaftSnapshot.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(8).uint64(message.index);
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(16).uint64(message.term);
                if (message.confState != null && $Object.hasOwnProperty.call(message, "confState"))
                    $root.orrery.consensus.RaftConfState.encode(message.confState, writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
                    writer.uint32(34).bytes(message.data);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RaftSnapshot.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.RaftSnapshot();
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
                                message.term = value;
                            else
                                delete message.term;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.confState = $root.orrery.consensus.RaftConfState.decode(reader, reader.size(), $undefined, _depth + 1, message.confState);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.data = value;
                            else
                                delete message.data;
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

            return RaftSnapshot;
        })();

        consensus.RaftConfState = (function() {

            const RaftConfState = function (properties) {
                this.voters = [];
                this.learners = [];
                this.votersOutgoing = [];
                this.learnersNext = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RaftConfState.prototype.voters = $util.emptyArray;
            RaftConfState.prototype.learners = $util.emptyArray;
            RaftConfState.prototype.votersOutgoing = $util.emptyArray;
            RaftConfState.prototype.learnersNext = $util.emptyArray;
            RaftConfState.prototype.autoLeave = false;

            RaftConfState.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.voters != null && message.voters.length)
                    writer.uint32(10).uint64s(message.voters);
                if (message.learners != null && message.learners.length)
                    writer.uint32(18).uint64s(message.learners);
                if (message.votersOutgoing != null && message.votersOutgoing.length)
                    writer.uint32(26).uint64s(message.votersOutgoing);
                if (message.learnersNext != null && message.learnersNext.length)
                    writer.uint32(34).uint64s(message.learnersNext);
                if (message.autoLeave != null && $Object.hasOwnProperty.call(message, "autoLeave") && message.autoLeave !== false)
                    writer.uint32(40).bool(message.autoLeave);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RaftConfState.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.RaftConfState();
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
                            if (wireType === 2) {
                                if (!(message.voters && message.voters.length))
                                    message.voters = [];
                                reader.uint64s(message.voters);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.voters && message.voters.length))
                                message.voters = [];
                            message.voters.push(reader.uint64());
                            continue;
                        }
                    case 2: {
                            if (wireType === 2) {
                                if (!(message.learners && message.learners.length))
                                    message.learners = [];
                                reader.uint64s(message.learners);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.learners && message.learners.length))
                                message.learners = [];
                            message.learners.push(reader.uint64());
                            continue;
                        }
                    case 3: {
                            if (wireType === 2) {
                                if (!(message.votersOutgoing && message.votersOutgoing.length))
                                    message.votersOutgoing = [];
                                reader.uint64s(message.votersOutgoing);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.votersOutgoing && message.votersOutgoing.length))
                                message.votersOutgoing = [];
                            message.votersOutgoing.push(reader.uint64());
                            continue;
                        }
                    case 4: {
                            if (wireType === 2) {
                                if (!(message.learnersNext && message.learnersNext.length))
                                    message.learnersNext = [];
                                reader.uint64s(message.learnersNext);
                                continue;
                            }
                            if (wireType !== 0)
                                break;
                            if (!(message.learnersNext && message.learnersNext.length))
                                message.learnersNext = [];
                            message.learnersNext.push(reader.uint64());
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.autoLeave = value;
                            else
                                delete message.autoLeave;
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

            return RaftConfState;
        })();

        consensus.RaftHardState = (function() {

            const RaftHardState = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RaftHardState.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftHardState.prototype.vote = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            RaftHardState.prototype.commit = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            RaftHardState.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(8).uint64(message.term);
                if (message.vote != null && $Object.hasOwnProperty.call(message, "vote") && (typeof message.vote === "object" ? message.vote.low || message.vote.high : message.vote !== 0))
                    writer.uint32(16).uint64(message.vote);
                if (message.commit != null && $Object.hasOwnProperty.call(message, "commit") && (typeof message.commit === "object" ? message.commit.low || message.commit.high : message.commit !== 0))
                    writer.uint32(24).uint64(message.commit);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RaftHardState.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.RaftHardState();
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
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.vote = value;
                            else
                                delete message.vote;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.commit = value;
                            else
                                delete message.commit;
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

            return RaftHardState;
        })();

        consensus.Proposal = (function() {

            const Proposal = function (properties) {
                this.taskIds = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Proposal.prototype.entry = $util.newBuffer([]);
            Proposal.prototype.taskIds = $util.emptyArray;

            Proposal.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.entry != null && $Object.hasOwnProperty.call(message, "entry") && message.entry.length)
                    writer.uint32(10).bytes(message.entry);
                if (message.taskIds != null && message.taskIds.length)
                    for (let i = 0; i < message.taskIds.length; ++i)
                        writer.uint32(18).string(message.taskIds[i]);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Proposal.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.Proposal();
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
                                message.entry = value;
                            else
                                delete message.entry;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.taskIds && message.taskIds.length))
                                message.taskIds = [];
                            message.taskIds.push(reader.stringVerify());
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

            return Proposal;
        })();

        consensus.SnapshotData = (function() {

            const SnapshotData = function (properties) {
                this.appliedTasks = [];
                this.skipped = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SnapshotData.prototype.state = $util.newBuffer([]);
            SnapshotData.prototype.appliedTasks = $util.emptyArray;
            SnapshotData.prototype.skipped = $util.emptyArray;

            SnapshotData.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state.length)
                    writer.uint32(10).bytes(message.state);
                if (message.appliedTasks != null && message.appliedTasks.length)
                    for (let i = 0; i < message.appliedTasks.length; ++i)
                        $root.orrery.consensus.AppliedTask.encode(message.appliedTasks[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.skipped != null && message.skipped.length)
                    for (let i = 0; i < message.skipped.length; ++i)
                        $root.orrery.consensus.SkippedEntry.encode(message.skipped[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SnapshotData.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.SnapshotData();
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
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.appliedTasks && message.appliedTasks.length))
                                message.appliedTasks = [];
                            message.appliedTasks.push($root.orrery.consensus.AppliedTask.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.skipped && message.skipped.length))
                                message.skipped = [];
                            message.skipped.push($root.orrery.consensus.SkippedEntry.decode(reader, reader.size(), $undefined, _depth + 1));
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

            return SnapshotData;
        })();

        consensus.SkippedEntry = (function() {

            const SkippedEntry = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SkippedEntry.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            SkippedEntry.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            SkippedEntry.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(8).uint64(message.index);
                if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                    writer.uint32(16).uint64(message.term);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SkippedEntry.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.SkippedEntry();
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

            return SkippedEntry;
        })();

        consensus.AppliedTask = (function() {

            const AppliedTask = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            AppliedTask.prototype.id = "";
            AppliedTask.prototype.index = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
            AppliedTask.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            AppliedTask.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(10).string(message.id);
                if (message.index != null && $Object.hasOwnProperty.call(message, "index") && (typeof message.index === "object" ? message.index.low || message.index.high : message.index !== 0))
                    writer.uint32(16).uint64(message.index);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(24).uint64(message.version);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            AppliedTask.decode = function (reader, length, _end, _depth, _target) {
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
                message = _target || new $root.orrery.consensus.AppliedTask();
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

            return AppliedTask;
        })();

        return consensus;
    })();

    return orrery;
})();

export {
  $root as default
};

export const RaftMessage = codec("RaftMessage", orrery.consensus.RaftMessage);
export const RaftEntry = codec("RaftEntry", orrery.consensus.RaftEntry);
export const RaftSnapshot = codec("RaftSnapshot", orrery.consensus.RaftSnapshot);
export const RaftConfState = codec("RaftConfState", orrery.consensus.RaftConfState);
export const RaftHardState = codec("RaftHardState", orrery.consensus.RaftHardState);
export const Proposal = codec("Proposal", orrery.consensus.Proposal);
export const SnapshotData = codec("SnapshotData", orrery.consensus.SnapshotData);
export const SkippedEntry = codec("SkippedEntry", orrery.consensus.SkippedEntry);
export const AppliedTask = codec("AppliedTask", orrery.consensus.AppliedTask);
