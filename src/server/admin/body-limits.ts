/** How many bytes a body may have that holds a whole inventory: 64 MiB. */
export const fixtureBody = 67_108_864;

/** How many bytes every other body may have: 1 MiB. */
export const smallBody = 1_048_576;
