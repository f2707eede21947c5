/**
 * The gateway (`GatewayService`): when a restarted cluster recovers its state, which ends block 1 ("state not
 * recovered"). At once with `gateway.expected_data_nodes`; otherwise `gateway.recover_after_time` after
 * `gateway.recover_after_data_nodes` have joined. Without these settings it recovers as soon as a term begins.
 *
 * The wait lets data nodes come back with their copies before the allocator looks for places.
 */
import type { ClusterState } from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import type { ManagerSettings } from "./settings.ts";

const notRecoveredBlockId = 1;
/** Default of `recover_after_time` when nodes are expected. */
const expectedWaitMs = 300_000;

export interface GatewayOptions {
  readonly clock: Clock;
  readonly settings: ManagerSettings;
  /** Proposes `recover-state`; called once a term at most. */
  readonly recover: () => void;
}

/** The gateway of one term. */
export interface Gateway {
  /** Compares each applied state with the settings. The timer restarts when nodes fall below the minimum. */
  consider(state: ClusterState): void;
  end(): void;
}

/** A gateway that has not recovered the state in this term. */
export function createGateway({ clock, settings, recover }: GatewayOptions): Gateway {
  let cancel: CancelTimer | undefined;
  let isAsked = false;

  const ask = (): void => {
    isAsked = true;
    recover();
  };

  return {
    consider(state) {
      // The state of a cluster that did not restart, or has recovered: nothing to wait for.
      if (!state.blocks.global.some(({ id }) => id === notRecoveredBlockId)) {
        cancel?.();
        return;
      }
      if (isAsked) return;
      const dataNodes = [...state.nodes.values()].filter(({ roles }) => roles.includes("data"));
      const expected = settings.number("gateway.expected_data_nodes");
      const least = settings.number("gateway.recover_after_data_nodes");
      const waitMs = settings.isSet("gateway.recover_after_time")
        ? settings.duration("gateway.recover_after_time")
        : expected > 0
          ? expectedWaitMs
          : 0;
      if (dataNodes.length < least) {
        cancel?.();
        cancel = undefined;
      } else if ((expected > 0 && dataNodes.length >= expected) || waitMs === 0) {
        ask();
      } else {
        cancel ??= clock.setTimer(waitMs, ask);
      }
    },
    end() {
      isAsked = true;
      cancel?.();
    },
  };
}
