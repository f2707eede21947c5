/** Runs etcd-io/raft's transcripts, unmodified: the log lines, Ready and messages of whole groups of nodes. */
import { createInteraction } from "./interaction/directives.ts";
import { createConfChange } from "./conf-change-transcript.ts";
import { answerQuorumDirective } from "./quorum-transcript.ts";
import { runOwnTranscripts, runTranscripts } from "./transcript.ts";

runTranscripts("interaction", createInteraction);
runTranscripts("confchange", createConfChange);
runTranscripts("quorum", () => answerQuorumDirective);

runOwnTranscripts("interaction", createInteraction);
