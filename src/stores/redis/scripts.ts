import { createHash } from 'node:crypto';

/** A Lua script. All its keys lie in one hash slot. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
  /** Whether it writes: then `?wait=` waits for the replicas. */
  readonly writes: boolean;
  /**
   * Calls take effect in the order they are made: they carry the text, because one that has to be made
   * again with it would come behind later ones. Left out: in any order.
   */
  readonly isOrdered?: true;
}

// `#!lua` without the flag `no-writes` on all of them: so a server that has become a replica refuses
// a script that only reads as well, and nobody is told of a state that is over.

function write(body: string): Script {
  return define(`#!lua\n${body}`, true);
}

/** A write that makes room: a server that is out of memory runs it. */
function remove(body: string): Script {
  return define(`#!lua flags=allow-oom\n${body}`, true);
}

function read(body: string): Script {
  // A server that is out of memory can still be read.
  return define(`#!lua flags=allow-oom\n${body}`, false);
}

function define(text: string, writes: boolean): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex'), writes };
}

// The keys of a sandbox, in this order everywhere:
//   1 sandbox        hash: seed, base, alias (or ''), settings, version (of the settings), expiresAt (or ''),
//                    holder (its name among those who need the seed for ever, or ''),
//                    revision (rises with every write of the inventory), replaced (the revision when
//                    the whole was last replaced), taken (how many snapshots were)
//   2 items          hash: "quantity status" by petId, of the pets that differ from the base
//   3 log            sorted set: the pets of `items` by the revision of their last write
//   4 snapshots      hash: "order createdAt base" by name
//   5 snapshot-rows  hash: the packed items by name
//   6 bases          hash: the inventories that were set as a whole, by digest
//   7 counters       hash: what processes count together, by name
// A base is the inventory that `items` differ from: "seed:<digest>", the content of a key that many
// sandboxes share, or "own:<digest>", a field of `bases`.
//
// Revisions and versions begin at the time in microseconds, so that a sandbox that is created anew
// never comes by those of the one before it.

const now = `
local function now()
  local time = redis.call('TIME')
  return string.format('%d%06d', time[1], time[2])
end
`;

const expire = `
local function expire()
  local at = redis.call('HGET', KEYS[1], 'expiresAt')
  for index = 1, 7 do
    if at and at ~= '' then redis.call('PEXPIREAT', KEYS[index], at)
    else redis.call('PERSIST', KEYS[index]) end
  end
end
`;

/** Forgets the bases that neither the inventory nor a snapshot needs any more. */
const sweepBases = `
local function sweepBases()
  if redis.call('EXISTS', KEYS[6]) == 0 then return end
  local needed = { [redis.call('HGET', KEYS[1], 'base')] = true }
  for _, entry in ipairs(redis.call('HVALS', KEYS[4])) do
    needed[string.match(entry, '%S+$')] = true
  end
  for _, digest in ipairs(redis.call('HKEYS', KEYS[6])) do
    if not needed['own:' .. digest] then redis.call('HDEL', KEYS[6], digest) end
  end
end
`;

/** Makes a base the inventory, with nothing that differs from it. */
const rebase = `
local function rebase(base)
  redis.call('UNLINK', KEYS[2], KEYS[3])
  local revision = redis.call('HINCRBY', KEYS[1], 'revision', 1)
  redis.call('HSET', KEYS[1], 'base', base, 'replaced', revision)
end
`;

/** What a process keeps of a sandbox: the answer of several scripts. */
const describe = `
local function describe()
  return redis.call('HMGET', KEYS[1], 'seed', 'base', 'version', 'settings', 'expiresAt', 'alias')
end
`;

/** What scripts answer where there is no such sandbox, and where nothing has changed. */
export const gone = 0;
export const unchanged = 1;

/** KEYS: the sandbox's, and its alias as the eighth. Answers a description, an id, or {@link gone}. */
export const describeScript: Script = read(`${describe}
if redis.call('EXISTS', KEYS[1]) == 1 then return describe() end
return redis.call('GET', KEYS[8]) or 0
`);

/**
 * ARGV: channel, base, version, petId, quantity, status or '', the row in the base or '', and 1 where
 * nothing is to be done for another version. Answers the row that was there before, 1 for no such
 * pet, 2 where nothing was done, because the base or the version is another than the caller knows; in
 * an array with a description where that has changed; {@link gone}.
 */
export const updateScript: Script = write(`${describe}
local sandbox = redis.call('HMGET', KEYS[1], 'base', 'version')
if not sandbox[1] then return 0 end
local outcome = 2
if sandbox[1] == ARGV[2] and (sandbox[2] == ARGV[3] or not ARGV[8]) then
  local previous = redis.call('HGET', KEYS[2], ARGV[4]) or ARGV[7]
  outcome = 1
  if previous ~= '' then
    local status = ARGV[6]
    if status == '' then status = string.match(previous, '%a+$') end
    local row = ARGV[5] .. ' ' .. status
    local revision = redis.call('HINCRBY', KEYS[1], 'revision', 1)
    if redis.call('HSET', KEYS[2], ARGV[4], row) == 1 and redis.call('HLEN', KEYS[2]) == 1 then
      redis.call('ZADD', KEYS[3], revision, ARGV[4])
      local at = redis.call('HGET', KEYS[1], 'expiresAt')
      if at ~= '' then
        redis.call('PEXPIREAT', KEYS[2], at)
        redis.call('PEXPIREAT', KEYS[3], at)
      end
    else
      redis.call('ZADD', KEYS[3], revision, ARGV[4])
    end
    redis.call('SPUBLISH', ARGV[1], 'change ' .. ARGV[4] .. ' ' .. row .. ' ' .. previous)
    outcome = previous
  end
end
if outcome ~= 2 and sandbox[2] == ARGV[3] then return outcome end
return { outcome, describe() }
`);

/**
 * ARGV: the version and the revision that the caller knows, or ''. Answers {@link gone},
 * {@link unchanged}, or: description, revision, whether the rows are only those that changed since
 * the caller's revision, and the rows as petId, row, petId, row, …
 */
export const readScript: Script = read(`${describe}
local sandbox = redis.call('HMGET', KEYS[1], 'base', 'version', 'revision', 'replaced')
if not sandbox[1] then return 0 end
if sandbox[3] == ARGV[2] and sandbox[2] == ARGV[1] then return 1 end
local known = tonumber(ARGV[2]) or -1
if known < tonumber(sandbox[4]) or known > tonumber(sandbox[3]) then
  return { describe(), sandbox[3], 0, redis.call('HGETALL', KEYS[2]) }
end
local pets = redis.call('ZRANGE', KEYS[3], '(' .. ARGV[2], '+inf', 'BYSCORE')
local rows = {}
for first = 1, #pets, 1000 do
  local last = math.min(first + 999, #pets)
  local found = redis.call('HMGET', KEYS[2], unpack(pets, first, last))
  for index = first, last do
    rows[index * 2 - 1] = pets[index]
    rows[index * 2] = found[index - first + 1]
  end
end
return { describe(), sandbox[3], 1, rows }
`);

/**
 * ARGV: version, and what each counter rises by: name, amount, name, amount, … Answers their new
 * values, a text where the version is another, or {@link gone}.
 */
export const advanceScript: Script = write(`
local sandbox = redis.call('HMGET', KEYS[1], 'version', 'expiresAt')
if not sandbox[1] then return 0 end
if sandbox[1] ~= ARGV[1] then return sandbox[1] end
local isNew = redis.call('EXISTS', KEYS[7]) == 0
local values = {}
for index = 2, #ARGV, 2 do
  values[#values + 1] = redis.call('HINCRBY', KEYS[7], ARGV[index], ARGV[index + 1])
end
if isNew and sandbox[2] ~= '' then redis.call('PEXPIREAT', KEYS[7], sandbox[2]) end
return values
`);

/** Answers {@link gone}, or name, value, name, value, … */
export const countersScript: Script = read(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HGETALL', KEYS[7])
`);

/** Answers the base, or {@link gone}. */
export const baseScript: Script = read(`return redis.call('HGET', KEYS[1], 'base') or 0`);

/** ARGV: digest. Answers the content of a base that is the sandbox's own, or nothing. */
export const ownBaseScript: Script = read(`return redis.call('HGET', KEYS[6], ARGV[1])`);

/**
 * KEYS: the sandbox's, and the alias of its id as the eighth. ARGV: seed, settings, expiresAt or '',
 * alias or '', holder or ''. Answers a description, or {@link gone} where the id or the key is taken.
 */
export const createScript: Script = write(`${now}${expire}${describe}
if redis.call('EXISTS', KEYS[1], KEYS[8]) > 0 then return 0 end
redis.call('UNLINK', unpack(KEYS, 2, 7))
local time = now()
redis.call('HSET', KEYS[1], 'seed', ARGV[1], 'base', 'seed:' .. ARGV[1], 'settings', ARGV[2],
  'expiresAt', ARGV[3], 'alias', ARGV[4], 'holder', ARGV[5], 'version', time, 'revision', time, 'replaced', time)
local answer = describe()
expire()
return answer
`);

/**
 * ARGV: channel, settings, expiresAt or '', holder or '', the version that these are made from or '',
 * and the counters that stay. Answers a description and the holder that was there before,
 * {@link gone}, or {@link unchanged} where the version is another.
 */
export const configureScript: Script = write(`${now}${expire}${describe}
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return 0 end
if ARGV[5] ~= '' and ARGV[5] ~= version then return 1 end
local time = now()
if tonumber(time) <= tonumber(version) then
  time = string.format('%.0f', tonumber(version) + 1)
end
local holder = redis.call('HGET', KEYS[1], 'holder')
redis.call('HSET', KEYS[1], 'settings', ARGV[2], 'expiresAt', ARGV[3], 'holder', ARGV[4],
  'version', time)
local stays = {}
for index = 6, #ARGV do stays[ARGV[index]] = true end
for _, name in ipairs(redis.call('HKEYS', KEYS[7])) do
  if not stays[name] then redis.call('HDEL', KEYS[7], name) end
end
local answer = { describe(), holder }
expire()
redis.call('SPUBLISH', ARGV[1], 'settings')
return answer
`);

/** ARGV: channel. Answers the alias or '', the seed and the holder or '', or {@link gone}. */
export const deleteScript: Script = remove(`
local sandbox = redis.call('HMGET', KEYS[1], 'alias', 'seed', 'holder')
if not sandbox[1] then return 0 end
redis.call('UNLINK', unpack(KEYS, 1, 7))
redis.call('SPUBLISH', ARGV[1], 'deleted')
return sandbox
`);

/** ARGV: channel, base, its content where it is to be kept as the sandbox's own. */
export const replaceScript: Script = write(`${expire}${sweepBases}${rebase}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
rebase(ARGV[2])
if ARGV[3] then
  redis.call('HSET', KEYS[6], string.match(ARGV[2], '[^:]+$'), ARGV[3])
  expire()
end
sweepBases()
redis.call('SPUBLISH', ARGV[1], 'replaced')
return 1
`);

/** ARGV: channel. */
export const resetScript: Script = write(`${sweepBases}${rebase}
local seed = redis.call('HGET', KEYS[1], 'seed')
if not seed then return 0 end
rebase('seed:' .. seed)
sweepBases()
redis.call('SPUBLISH', ARGV[1], 'replaced')
return 1
`);

/** ARGV: channel, name, createdAt. */
export const takeSnapshotScript: Script = write(`${expire}${sweepBases}
local base = redis.call('HGET', KEYS[1], 'base')
if not base then return 0 end
local order = redis.call('HINCRBY', KEYS[1], 'taken', 1)
redis.call('HSET', KEYS[4], ARGV[2], order .. ' ' .. ARGV[3] .. ' ' .. base)
redis.call('HSET', KEYS[5], ARGV[2], cmsgpack.pack(redis.call('HGETALL', KEYS[2])))
sweepBases()
expire()
redis.call('SPUBLISH', ARGV[1], 'snapshots')
return 1
`);

/** Answers {@link gone}, or name, entry, name, entry, … */
export const snapshotsScript: Script = read(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HGETALL', KEYS[4])
`);

/** ARGV: name. Answers {@link gone}, 1 for no such snapshot, or the entry and the rows. */
export const snapshotItemsScript: Script = read(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local entry = redis.call('HGET', KEYS[4], ARGV[1])
if not entry then return 1 end
return { entry, cmsgpack.unpack(redis.call('HGET', KEYS[5], ARGV[1])) }
`);

/** ARGV: channel, name. Answers {@link gone}, 1 for no such snapshot, 2 where it was restored. */
export const restoreSnapshotScript: Script = write(`${expire}${sweepBases}${rebase}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local entry = redis.call('HGET', KEYS[4], ARGV[2])
if not entry then return 1 end
rebase(string.match(entry, '%S+$'))
local rows = cmsgpack.unpack(redis.call('HGET', KEYS[5], ARGV[2]))
for first = 1, #rows, 1000 do
  redis.call('HSET', KEYS[2], unpack(rows, first, math.min(first + 999, #rows)))
end
sweepBases()
expire()
redis.call('SPUBLISH', ARGV[1], 'replaced')
return 2
`);

/** ARGV: channel, name. Answers {@link gone}, 1 for no such snapshot, 2 where it was deleted. */
export const deleteSnapshotScript: Script = remove(`${sweepBases}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HDEL', KEYS[4], ARGV[2]) == 0 then return 1 end
redis.call('HDEL', KEYS[5], ARGV[2])
sweepBases()
redis.call('SPUBLISH', ARGV[1], 'snapshots')
return 2
`);

// Seeds. KEYS: a seed, and a sorted set of its holders by the time until which they need it. Those
// that need it for ever each have a name; all others are one.

const keepUntil = `
local function keepUntil(least)
  local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
  local time = tonumber(last[2] or 0)
  for index = 1, 2 do
    if time == math.huge then redis.call('PERSIST', KEYS[index])
    else redis.call('PEXPIREAT', KEYS[index], string.format('%.0f', math.max(time, least))) end
  end
end
`;

/**
 * ARGV: how long a seed is needed, '' for ever; the name of who needs it; its content where the
 * caller sends it. Answers whether it is there.
 */
export const keepSeedScript: Script = write(`${keepUntil}
if redis.call('EXISTS', KEYS[1]) == 0 then
  if not ARGV[3] then return 0 end
  redis.call('SET', KEYS[1], ARGV[3])
end
redis.call('ZADD', KEYS[2], 'GT', ARGV[1] == '' and '+inf' or ARGV[1], ARGV[2])
keepUntil(0)
return 1
`);

/**
 * ARGV: the name of who needed a seed for ever and does not any more; how many milliseconds it lives
 * on at least.
 */
export const releaseSeedScript: Script = remove(`${keepUntil}
if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then return 0 end
local time = redis.call('TIME')
keepUntil(time[1] * 1000 + ARGV[2])
return 1
`);

/** KEYS: the key of a seed. Answers its content. */
export const seedScript: Script = read(`return redis.call('GET', KEYS[1])`);

/**
 * KEYS: an alias, and the sandbox whose id the key would have led to. ARGV: id, expiresAt or ''.
 * Gives the alias to a sandbox. Answers whose it is; `''` where that other sandbox has the key.
 */
export const claimAliasScript: Script = write(`
if redis.call('EXISTS', KEYS[2]) == 1 then return '' end
local id = redis.call('GET', KEYS[1])
if id and id ~= ARGV[1] then return id end
redis.call('SET', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return ARGV[1]
`);

/** KEYS: an alias. ARGV: id. Takes the alias from that sandbox. */
export const releaseAliasScript: Script = remove(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

// The index. KEYS: created (sorted set by time), expiry (sorted set).

const purge = `
local function purge()
  local time = redis.call('TIME')
  local ms = string.format('%d%03d', time[1], math.floor(time[2] / 1000))
  repeat
    local expired = redis.call('ZRANGE', KEYS[2], '-inf', ms, 'BYSCORE', 'LIMIT', 0, 1000)
    if #expired > 0 then
      redis.call('ZREM', KEYS[1], unpack(expired))
      redis.call('ZREM', KEYS[2], unpack(expired))
    end
  until #expired < 1000
end
`;

/**
 * ARGV: id, expiresAt or '', and where it is certain that there is such a sandbox, a channel and a
 * text to tell of it. Adds a sandbox behind all others, unless it is in the list. Answers how many
 * were added.
 */
export const indexScript: Script = write(`${now}${purge}
purge()
local score = now()
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] and tonumber(last[2]) >= tonumber(score) then
  score = string.format('%.0f', tonumber(last[2]) + 1)
end
local added = redis.call('ZADD', KEYS[1], 'NX', score, ARGV[1])
if added == 1 or ARGV[3] then
  if ARGV[2] == '' then redis.call('ZREM', KEYS[2], ARGV[1])
  else redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1]) end
end
if ARGV[3] then redis.call('SPUBLISH', ARGV[3], ARGV[4]) end
return added
`);

/** ARGV: id, expiresAt or ''. Notes when a sandbox expires. */
export const indexExpiryScript: Script = write(`
if ARGV[2] == '' then redis.call('ZREM', KEYS[2], ARGV[1])
else redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1]) end
return 1
`);

/**
 * ARGV: id, how old its entry must be in microseconds, and where it was deleted, a channel and a text
 * to tell of it.
 */
export const unindexScript: Script = remove(`${now}
if ARGV[3] then redis.call('SPUBLISH', ARGV[3], ARGV[4]) end
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(now()) - tonumber(score) < tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`);

// These two write nothing that anybody would miss: no replica is waited for.

export const idsScript: Script = read(`${purge}
purge()
return redis.call('ZRANGE', KEYS[1], 0, -1)
`);

export const countScript: Script = read(`${purge}
purge()
return redis.call('ZCARD', KEYS[1])
`);

/** KEYS: a channel. ARGV: what to say there. Returns how many connections hear it. */
export const postScript: Script = {
  ...read(`return redis.call('SPUBLISH', KEYS[1], ARGV[1])`),
  isOrdered: true,
};
