#!lua flags=allow-key-locking
--[[
  admit: hand an instance of the gate a few admissions of a sale, and take back what it has not spent of its last ones.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, asOf, out; b<epoch second> -> admissions handed out in it
  ARGV[1] now                         epoch ms
  ARGV[2] returned second             of the lease that something is left of, empty when nothing is
  ARGV[3] returned count              what is left of it
  ARGV[4] waiting                     clicks that wait at that instance for an admission each

  Reply {code, count, second}
    1 granted      so many, in the bucket of that second
    2 none         all are out or have become units; no counters
    3 unlimited    the stock is, so nobody needs an admission; no counters
    4 sold-out     every unit is booked; no counters. A stock that is lost or frozen has a total of 0 and is not sold out
   10 unknown      nobody has told yet how many there may be; no counters

  booked + out never exceeds ceil(total x ratio / 1000): out is the sum of the buckets, and an admission stays in its
  bucket until complete-admissions.lua is told that it has become a unit or nothing, or replenish.lua of a time at which it must
  have. A reply that gets lost therefore wastes admissions for a while and cannot let too many through.

  The bucket is never one that has been counted as settled: an instance whose clock is behind uses that of asOf.
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
