#!lua flags=allow-key-locking
--[[
  admit: grant a gate instance a few admissions of a sale, and take back its unused ones.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, asOf, out, rate, second,
                                             granted; b<epoch second> -> admissions granted in it
  ARGV[1] now                         epoch ms
  ARGV[2] returned second             of the lease with unused admissions, empty without one
  ARGV[3] returned count              what is left of it
  ARGV[4] waiting                     requests at that instance that each wait for an admission

  Reply {code, count, second}
    1 granted      that many, in the bucket of that second
    2 none         all are out or have become units; no counters
    4 sold-out     every unit is booked; no counters. A lost or frozen stock has a total of zero and
                   is not sold out
    5 throttled    the rate allows none at this moment; no counters
   10 unknown      no count was published yet; no counters

  booked + out never exceeds ceil(total x ratio / 1000), unless the stock is unlimited. out is the
  sum of the buckets. An admission stays in its bucket until complete-admissions.lua completes it or
  replenish.lua expires it. A lost reply therefore wastes admissions for a while and never admits
  too many.

  At most `rate` admissions are granted in a second, and not all of them at its start: a quarter, and
  the others as the second passes. Clocks of instances differ, so the second is the latest that any
  of them, or a count, has named: it never goes back, and a late clock uses the start of it. `second`
  is that of the last grant, and `granted` the admissions of it that were not returned; a completed
  one stays in it, unlike in its bucket. Without a rate, from a publisher that knows none, only the
  total is bounded.

  The bucket is never one that has expired already: an instance whose clock is behind uses that of
  asOf.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'ratio', 'booked', 'asOf', 'out', 'rate', 'second', 'granted')
local total, ratio, booked = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or not ratio then return {10} end

local now = math.max(tonumber(ARGV[1]), tonumber(stored[4]), tonumber(stored[7] or '0') * 1000)
local second = math.floor(now / 1000)
local granted = second == tonumber(stored[7]) and tonumber(stored[8]) or 0
local out = tonumber(stored[5])
if ARGV[2] ~= '' then
  local bucket, returned = 'b' .. ARGV[2], tonumber(ARGV[3])
  local held = redis.call('HGET', KEYS[1], bucket)
  if held and tonumber(held) >= returned then
    out = out - returned
    if tonumber(ARGV[2]) == second then granted = math.max(0, granted - returned) end
    redis.call('HINCRBY', KEYS[1], bucket, -returned)
    redis.call('HSET', KEYS[1], 'out', string.format('%d', out),
      'second', string.format('%d', second), 'granted', string.format('%d', granted))
  end
end

local remaining = total == -1 and math.huge or math.ceil(total * ratio / 1000) - booked - out
if total > 0 and booked >= total then return {4} end
if remaining <= 0 then return {2} end
local rate = tonumber(stored[6]) or math.huge
local allowed = math.ceil(rate * math.min(1000, now - second * 1000 + 250) / 1000) - granted
if allowed <= 0 then return {5} end
local ahead = math.ceil(math.min(remaining, rate) / 256)
local count = math.min(remaining, allowed, 50, math.max(ahead, tonumber(ARGV[4])))
redis.call('HINCRBY', KEYS[1], string.format('b%d', second), count)
redis.call('HSET', KEYS[1], 'out', string.format('%d', out + count),
  'second', string.format('%d', second), 'granted', string.format('%d', granted + count))
return {1, count, second}
