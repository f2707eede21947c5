/** Product of every node of this program. */
import { composeProduct, type Product } from "@orrery/node";
import type { BlobOpeners } from "@orrery/ports";
import { loadBlobOpeners, plugins } from "./plugins.ts";

export const product: Product = composeProduct(
  await Promise.all(plugins.map(({ node }) => node())),
);

export const blobOpeners: BlobOpeners = await loadBlobOpeners();
