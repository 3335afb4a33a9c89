/**
 * The rooms of the house, from the top down. A file may import from its own room and from the rooms
 * named here; `docs/decisions/` says why where that is not obvious.
 */
const rooms = {
  'src/json': [],
  contracts: ['src/json', 'src/client'],
  'src/inventory': ['src/json', 'contracts/pet-status.ts'],
  'src/stores': ['src/inventory', 'contracts/pet-status.ts'],
  // The memory store is what a mock has unless it is given another: see decision 4.
  'src/mock': [
    'src/json',
    // The last three judge what a journal holds.
    'contracts/(case|decisions|pet-status|credentials|expectation|judge-exchange)[.]ts',
    'fixtures/builtin(-inventories)?.ts',
    'src/inventory',
    'src/stores/memory(-sandboxes)?[.]ts',
  ],
  'src/server': ['src/json', 'contracts', 'src/inventory', 'src/mock', 'src/admin/admin-api.ts'],
  handlers: [
    'src/json',
    'contracts',
    'fixtures/builtin(-inventories)?.ts',
    'src/inventory',
    'src/stores',
    'src/mock',
  ],
  // The words of the engine, as types: the client itself speaks HTTP only.
  'src/admin': ['src/json', 'contracts/(case|pet-status)[.]ts', 'src/inventory', 'src/mock'],
  'src/client': ['src/json', 'contracts/(pet-status|shapes|violation)[.]ts'],
  'src/verify': ['src/json', 'contracts'],
  // A client of the admin API like any other: of the house it knows the words and the numbers.
  console: ['src/json', 'src/admin/admin-api.ts'],
};

/** These rooms may import from every room: they are at the bottom. */
const ground = ['src/cli', 'src/index.ts'];

const arrows = Object.entries(rooms).map(([room, known]) => ({
  name: `arrows-of-${room}`,
  comment: `${room} may import from ${[room, ...known].join(', ')} only`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: '[.]test[.]ts$' },
  to: {
    path: '^(src|contracts|fixtures|handlers|test|bench|examples|console)/',
    pathNot: [room, ...known].map((name) => `^${name}(/|$)`),
  },
}));

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'every-room-has-arrows',
      comment: 'a new room needs a line in the table of rooms',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [...Object.keys(rooms), ...ground].map((name) => `^${name}(/|$)`),
      },
      to: {},
    },
    {
      name: 'no-circular',
      comment: 'files that import each other cannot be understood one by one',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'browser-rooms-without-node',
      comment: 'these rooms run in the browser as well',
      severity: 'error',
      from: {
        path: '^(src/json|src/inventory|src/stores/memory|src/mock|contracts|handlers|src/client|src/admin|console)',
        pathNot:
          '[.]test[.]ts$|[.]config[.]ts$|^contracts/(consumer|provider)/|^src/mock/generate-inventory',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-orphans',
      comment: 'nothing imports this file: remove it, or import it',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: '[.](test|config)[.]ts$|[.]json$|^(test|bench)/',
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'an import that leads nowhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies-in-the-package',
      comment: 'what is published must not need what is not installed with it',
      severity: 'error',
      from: { path: '^(src|handlers|fixtures)/', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // swc sees type imports as well; TypeScript 7 has no API for this tool yet.
    parser: 'swc',

    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'types'],
      exportsFields: ['exports'],
    },
  },
};
