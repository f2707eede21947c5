/**
 * When a cluster that starts may use what it has on disk (`GatewayService`): `gateway.expected_data_nodes`, else
 * `gateway.recover_after_time` once `gateway.recover_after_data_nodes` is met.
 */
import type { ClusterState } from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import type { ManagerSettings } from "./settings.ts";

const notRecoveredBlockId = 1;
/** `recover_after_time` when nodes are expected and no time is given. */
const expectedWaitMs = 300_000;

export interface GatewayOptions {
  readonly clock: Clock;
  readonly settings: ManagerSettings;
  readonly recover: () => void;
}

export interface Gateway {
  consider(state: ClusterState): void;
  end(): void;
}

export function createGateway({ clock, settings, recover }: GatewayOptions): Gateway {
  let cancel: CancelTimer | undefined;
  let isAsked = false;

  const ask = (): void => {
    isAsked = true;
    recover();
  };

  return {
    consider(state) {
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
