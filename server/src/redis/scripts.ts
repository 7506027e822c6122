/**
 * The store's steps in Redis, each one script: Redis runs a script as a whole, by its own clock, so that the clocks of
 * the relays do not matter.
 *
 * Each script first compares the record's epoch. A Redis that was emptied, or replaced by a copy without it, has
 * another, and a relay that counted on the former one gets no more money from it.
 *
 * A Lua number is exact below 2^53, and an amount of yoctoNEAR is above. So a script gets it in two parts: whole units of
 * 10^12 yoctoNEAR, and the rest.
 *
 * A relay may be killed between any two scripts. So a reservation is in the set `unkept`, by its ticket, until {@link KEEP} stores
 * the transaction that it pays for, in the same step; a transaction is in the set `open` until its cost is counted. What stays in
 * one of the two sets is ended by another relay.
 */

/** What a script returns for another epoch. No other script returns a bare text. */
export const OTHER_EPOCH = 'LATCHKEYEPOCH';

const START = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return '${OTHER_EPOCH}' end
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
`;

/** ARGV of a meter: 2 the slice's length in ms, 3 the number of slices. Forgets what has left the window. */
const METER = `
local meter = KEYS[2]
local slice = math.floor(now / ARGV[2])
local function text(number) return string.format('%.0f', number) end
local function add(field, amount)
  if tonumber(amount) == 0 then return end
  if redis.call('HINCRBY', meter, field, amount) == 0 then redis.call('HDEL', meter, field) end
end
local function forget()
  for _, field in ipairs(redis.call('HKEYS', meter)) do
    if tonumber(string.sub(field, 2)) < slice - ARGV[3] then redis.call('HDEL', meter, field) end
  end
end
`;

const script = (body: string) => START + body;

/**
 * Fields of a meter, each with its slice's number: `s` and `t`, the units and the rest that are spent or reserved; `r` and
 * `u`, the reserved part of them.
 *
 * KEYS: epoch, meter, reservation, unkept. ARGV from 4: units, rest, the cap's units (empty: no cap), its rest, 1 if the first
 * is always admitted, the ticket. Returns whether it reserved, the time in ms, and the fields.
 */
export const RESERVE = script(`${METER}
forget()
local units, rest = 0, 0
local fields = redis.call('HGETALL', meter)
for index = 1, #fields, 2 do
  local kind = string.sub(fields[index], 1, 1)
  if kind == 's' then units = units + fields[index + 1] end
  if kind == 't' then rest = rest + fields[index + 1] end
end
if ARGV[6] ~= '' and not (ARGV[8] == '1' and units == 0 and rest == 0) then
  rest = rest + ARGV[5]
  units = units + ARGV[4] + math.floor(rest / 1e12)
  rest = rest % 1e12
  local cap = tonumber(ARGV[6])
  if units > cap or (units == cap and rest > tonumber(ARGV[7])) then return {0, now, fields} end
end
local at = text(slice)
add('s' .. at, ARGV[4]) add('t' .. at, ARGV[5]) add('r' .. at, ARGV[4]) add('u' .. at, ARGV[5])
local window = ARGV[2] * (ARGV[3] + 2)
redis.call('PEXPIRE', meter, text(window))
redis.call('SET', KEYS[3], at .. ' ' .. ARGV[4] .. ' ' .. ARGV[5], 'PX', text(window))
redis.call('ZADD', KEYS[4], now, ARGV[9])
return {1, now, {}}
`);

/** The end of a reservation leaves the set `unkept`. Where only an unkept one is to end, does nothing for another. */
const endIn = (unkept: string, ticket: string, onlyUnkept: string) => `
if redis.call('ZREM', ${unkept}, ${ticket}) == 0 and ${onlyUnkept} == '1' then return 0 end
`;

/**
 * KEYS as for {@link RESERVE}. ARGV from 4: what was spent, units and rest, the ticket, 1 if only an unkept one is to end. Does
 * nothing the second time.
 */
export const SETTLE = script(`${METER}${endIn('KEYS[4]', 'ARGV[6]', 'ARGV[7]')}
local reservation = redis.call('GET', KEYS[3])
if not reservation then return 0 end
redis.call('DEL', KEYS[3])
local at, units, rest = string.match(reservation, '^(%d+) (%d+) (%d+)$')
if tonumber(at) >= slice - ARGV[3] then
  add('s' .. at, '-' .. units) add('t' .. at, '-' .. rest) add('r' .. at, '-' .. units) add('u' .. at, '-' .. rest)
end
add('s' .. text(slice), ARGV[4]) add('t' .. text(slice), ARGV[5])
redis.call('PEXPIRE', meter, text(ARGV[2] * (ARGV[3] + 2)))
return 1
`);

/** KEYS: epoch, meter. Returns the time in ms and the fields. */
export const COUNT = script(`${METER}
forget()
return {now, redis.call('HGETALL', meter)}
`);

/** KEYS: epoch, and for each access key the set of its users. ARGV: 2 the relay, 3 a use's life in ms. Returns an index. */
export const LEASE = script(`
local best, bestOthers, bestMine = 0, 0, false
for index = 2, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[index], '-inf', now)
  local mine = redis.call('ZSCORE', KEYS[index], ARGV[2]) and true or false
  local others = redis.call('ZCARD', KEYS[index]) - (mine and 1 or 0)
  if best == 0 or others < bestOthers or (others == bestOthers and mine and not bestMine) then
    best, bestOthers, bestMine = index, others, mine
  end
end
redis.call('ZADD', KEYS[best], now + ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[best], ARGV[3] * 2)
return best - 2
`);

/** KEYS: epoch, nonce. ARGV: 2 the chain's nonce (empty: unknown), 3 its life in ms. Returns the next one, or 0. */
export const NEXT_NONCE = script(`
local last = redis.call('GET', KEYS[2])
if ARGV[2] ~= '' and (not last or tonumber(last) < tonumber(ARGV[2])) then last = ARGV[2] end
if not last then return 0 end
local nonce = tonumber(last) + 1
redis.call('SET', KEYS[2], string.format('%.0f', nonce), 'PX', ARGV[3])
return nonce
`);

/** KEYS and ARGV as for {@link NEXT_NONCE}. */
export const RAISE_NONCE = script(`
local last = redis.call('GET', KEYS[2])
if not last or tonumber(last) < tonumber(ARGV[2]) then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
return 1
`);

export const FORGET = script(`return redis.call('DEL', KEYS[2])`);

/**
 * KEYS: epoch, claim, job, open. ARGV: 2 the claim's token, 3 its life in ms, 4 the job's name. Returns whether it was free,
 * and the job.
 */
export const CLAIM = script(`
local job = redis.call('HMGET', KEYS[3], 'hash', 'text')
if not job[1] then redis.call('ZREM', KEYS[4], ARGV[4]) end
local free = redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3])
return {free and 1 or 0, job[1] or '', job[2] or ''}
`);

/** KEYS: epoch, claim. ARGV: 2 the claim's token, 3 its life in ms. Returns whether the claim still holds. */
export const RENEW = script(`
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
return redis.call('PEXPIRE', KEYS[2], ARGV[3])
`);

/**
 * KEYS: epoch, claim, job, open, unkept. ARGV: 2 the claim's token, 3 its life in ms, 4 the job's name, 5 the transaction's
 * hash, 6 the job's text, 7 its life in ms; from 8 the tickets of its reservations. Returns whether it was stored: not if
 * another relay has the claim, or has ended a reservation.
 */
export const KEEP = script(`
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
for index = 8, #ARGV do
  if not redis.call('ZSCORE', KEYS[5], ARGV[index]) then return 0 end
end
for index = 8, #ARGV do redis.call('ZREM', KEYS[5], ARGV[index]) end
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'hash', ARGV[5], 'text', ARGV[6])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
redis.call('ZADD', KEYS[4], now + ARGV[3], ARGV[4])
return 1
`);

export const RELEASE = script(`
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
return 1
`);

/**
 * KEYS: epoch, job, open, unkept. ARGV: 2 the hash of the transaction that settled, 3 how long the job stays in ms, 4 its name;
 * from 5 the tickets of reservations that pay for nothing now, and that its relay is about to end.
 */
export const SETTLED = script(`
if redis.call('HGET', KEYS[2], 'hash') == ARGV[2] then
  redis.call('HSET', KEYS[2], 'settled', '1')
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  redis.call('ZREM', KEYS[3], ARGV[4])
  for index = 5, #ARGV do redis.call('ZADD', KEYS[4], now, ARGV[index]) end
end
return 1
`);

/** KEYS: epoch, job, open. ARGV: 2 the hash of the transaction whose cost is counted, 3 the job's name. */
export const COUNTED = script(`
if redis.call('HGET', KEYS[2], 'hash') == ARGV[2] then redis.call('ZREM', KEYS[3], ARGV[3]) end
return 1
`);

/** KEYS: epoch, open. ARGV: 2 how many, 3 the ms until such a job is named again. Returns names of open jobs. */
export const DUE = script(`
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[2])
for _, name in ipairs(names) do redis.call('ZADD', KEYS[2], now + ARGV[3], name) end
return names
`);

/** KEYS: epoch, unkept. ARGV: 2 after how many, 3 how many, 4 the age in ms. Returns the tickets of reservations that old. */
export const UNKEPT = script(`
return redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[4], 'LIMIT', ARGV[2], ARGV[3])
`);

/** KEYS: epoch, job. Returns whether something was signed for it whose outcome is unknown. */
export const IS_OPEN = script(`
return (redis.call('EXISTS', KEYS[2]) == 1 and redis.call('HEXISTS', KEYS[2], 'settled') == 0) and 1 or 0
`);

/**
 * KEYS: epoch, use, unkept. ARGV: 2 the holder, 3 the reservation, 4 when it is forgotten, in ms since 1970, 5 the ticket.
 * Returns whether the holder may use it. The field `holder` is empty once it is used up; each open reservation is a field.
 */
export const TAKE = script(`
local holder = redis.call('HGET', KEYS[2], 'holder')
if holder and holder ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'holder', ARGV[2], 'r' .. ARGV[3], '')
redis.call('PEXPIREAT', KEYS[2], ARGV[4])
redis.call('ZADD', KEYS[3], now, ARGV[5])
return 1
`);

/** KEYS as for {@link TAKE}. ARGV: 2 the reservation, 3 the ticket. */
export const USE_UP = script(`
redis.call('ZREM', KEYS[3], ARGV[3])
if redis.call('HEXISTS', KEYS[2], 'r' .. ARGV[2]) == 1 then redis.call('HSET', KEYS[2], 'holder', '') end
return 1
`);

/** As {@link USE_UP}; ARGV[4] is 1 if only an unkept one is to be given back. */
export const GIVE_BACK = script(`${endIn('KEYS[3]', 'ARGV[3]', 'ARGV[4]')}
redis.call('HDEL', KEYS[2], 'r' .. ARGV[2])
if redis.call('HLEN', KEYS[2]) == 1 and redis.call('HGET', KEYS[2], 'holder') ~= '' then redis.call('DEL', KEYS[2]) end
return 1
`);

/** KEYS: epoch, name. ARGV: 2 milliseconds. Returns whether it is the first. */
export const FIRST = script(`return redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) and 1 or 0`);

/**
 * The generic cell rate algorithm (ITU-T I.371), as in memory. KEYS: epoch, the address's bucket, that of all. ARGV: 2 and
 * 3 the microseconds that a token takes. Returns 0, or 1 (address) or 2 (all) with the wait in ms.
 */
export const TAKE_TOKEN = script(`
local minute = 60000000
local function full(key, step) return math.max(micros, tonumber(redis.call('GET', key) or '0')) + step end
local ofAddress, ofAll = full(KEYS[2], ARGV[2]), full(KEYS[3], ARGV[3])
if ofAddress - micros - minute > 10 then return {1, math.ceil((ofAddress - micros - minute) / 1000)} end
if ofAll - micros - minute > 10 then return {2, math.ceil((ofAll - micros - minute) / 1000)} end
local function keep(key, at) redis.call('SET', key, string.format('%.0f', at), 'PX', math.ceil((at - micros) / 1000)) end
keep(KEYS[2], ofAddress) keep(KEYS[3], ofAll)
return {0, 0}
`);

export const PING = script('return 1');
