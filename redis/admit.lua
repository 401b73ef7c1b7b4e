#!lua flags=allow-key-locking
--[[
  admit: grant a gate instance a few admissions of a sale, and take back its unused ones.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, asOf, out; b<epoch second> ->
                                             admissions granted in it
  ARGV[1] now                         epoch ms
  ARGV[2] returned second             of the lease with unused admissions, empty without one
  ARGV[3] returned count              what is left of it
  ARGV[4] waiting                     requests at that instance that each wait for an admission

  Reply {code, count, second}
    1 granted      that many, in the bucket of that second
    2 none         all are out or have become units; no counters
    3 unlimited    the stock is, so no admission is needed; no counters
    4 sold-out     every unit is booked; no counters. A lost or frozen stock has a total of zero and
                   is not sold out
   10 unknown      no count was published yet; no counters

  booked + out never exceeds ceil(total x ratio / 1000). out is the sum of the buckets. An admission
  stays in its bucket until complete-admissions.lua completes it or replenish.lua expires it. A lost
  reply therefore wastes admissions for a while and never admits too many.

  The bucket is never one that has expired already: an instance whose clock is behind uses that of
  asOf.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'ratio', 'booked', 'asOf', 'out')
local total, ratio, booked = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or not ratio then return {10} end
if total == -1 then return {3} end

local out = tonumber(stored[5])
if ARGV[2] ~= '' then
  local bucket, returned = 'b' .. ARGV[2], tonumber(ARGV[3])
  local held = redis.call('HGET', KEYS[1], bucket)
  if held and tonumber(held) >= returned then
    out = out - returned
    redis.call('HINCRBY', KEYS[1], bucket, -returned)
    redis.call('HSET', KEYS[1], 'out', string.format('%d', out))
  end
end

local remaining = math.ceil(total * ratio / 1000) - booked - out
if total > 0 and booked >= total then return {4} end
if remaining <= 0 then return {2} end
local count = math.min(remaining, 50, math.max(math.ceil(remaining / 256), tonumber(ARGV[4])))
local second = math.floor(math.max(tonumber(ARGV[1]), tonumber(stored[4])) / 1000)
redis.call('HINCRBY', KEYS[1], string.format('b%d', second), count)
redis.call('HSET', KEYS[1], 'out', string.format('%d', out + count))
return {1, count, second}
