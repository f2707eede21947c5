/** The one generator of seedrandom that is used; its own types cover only the package's main file. */
declare module "seedrandom/lib/alea.js" {
  export default function alea(seed: string): () => number;
}
