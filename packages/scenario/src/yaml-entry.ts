/** YAML with positions, for other files that people write; loaded without the rest of this package. */
export { isFields, refuse, unknownKey, type Field, type Fields, type Place } from "./fields.ts";
export { readYaml } from "./yaml.ts";
