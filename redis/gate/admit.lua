#!lua flags=allow-key-locking
--[[
  admit: grant a gate instance admissions of a sale, and return its unused ones.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, asOf, out, rate, second,
                                             granted; b<epoch second> -> admissions granted in it
  ARGV[1] now                         epoch ms
  ARGV[2] returned second             of the lease with unused admissions, empty without one
  ARGV[3] returned count              unused admissions of that lease
  ARGV[4] waiting                     requests that wait at that instance for an admission

  Reply {code, count, second}
    1 granted      count admissions, in the bucket of that second
    2 none         all are out or have become units; no counters
    4 sold-out     every unit is booked; no counters. A lost or frozen stock has a total of zero, which
                   is not sold out
    5 throttled    the rate allows none at this moment; no counters
   10 unknown      no count was published yet; no counters

  No grant raises booked + out above ceil(total x ratio / 1000), unless the stock is unlimited. out is
  the sum of the buckets. An admission stays in its bucket until complete-admissions.lua completes it or
  replenish.lua expires it. So a lost reply wastes admissions until they expire, and never admits too many.

  At most `rate` admissions are granted in a second: a quarter at its start, and the others as the second
  passes. Clocks of instances differ, so the current second is the latest of all instances and counts. It
  never goes back, and an instance whose clock is behind uses its start. `second` is that of the last grant,
  and `granted` counts its admissions without returned ones; completed ones stay counted, unlike in their
  bucket. Without a published rate, only the total is bounded.

  An instance whose clock is behind uses the bucket of asOf, because older ones may have expired.
]]
local returning = ARGV[2] ~= '' and string.format('b%s', ARGV[2])
local stored = redis.call('HMGET', KEYS[1], 'total', 'ratio', 'booked', 'asOf', 'out', 'rate', 'second', 'granted',
  returning or 'out')
local total, ratio, booked = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or not ratio then return {10} end

local now = math.max(tonumber(ARGV[1]), tonumber(stored[4]), tonumber(stored[7] or '0') * 1000)
local second = math.floor(now / 1000)
local granted = second == tonumber(stored[7]) and tonumber(stored[8]) or 0
local out, returned, held = tonumber(stored[5]), tonumber(ARGV[3]), tonumber(stored[9])
if returning and (not held or held < returned) then returning = false end
if returning then
  out = out - returned
  if tonumber(ARGV[2]) == second then granted = math.max(0, granted - returned) end
end

local remaining = total == -1 and math.huge or math.ceil(total * ratio / 1000) - booked - out
local rate = tonumber(stored[6]) or math.huge
local allowed = math.ceil(rate * math.min(1000, now - second * 1000 + 250) / 1000) - granted
local isGone = total > 0 and booked >= total
local count = 0
if not isGone and remaining > 0 and allowed > 0 then
  local ahead = math.ceil(math.min(remaining, rate) / 256)
  count = math.min(remaining, allowed, 50, math.max(ahead, tonumber(ARGV[4])))
end

-- Returned admissions are written first, because their bucket may be that of the grant.
local counters = {string.format('%d', out + count), string.format('%d', second), string.format('%d', granted + count)}
if returning then
  redis.call('HSET', KEYS[1], returning, string.format('%d', held - returned), 'out', counters[1],
    'second', counters[2], 'granted', counters[3])
elseif count > 0 then
  redis.call('HSET', KEYS[1], 'out', counters[1], 'second', counters[2], 'granted', counters[3])
end
if isGone then return {4} end
if remaining <= 0 then return {2} end
if allowed <= 0 then return {5} end
redis.call('HINCRBY', KEYS[1], string.format('b%d', second), count)
return {1, count, second}
