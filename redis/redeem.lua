#!lua flags=allow-key-locking
--[[
  redeem: tell the gate that clicks which it let through were decided, so that it need not wait until they must have been.

  KEYS[1] gate:{<sale>}:admissions    hash   total, booked, out, seen, seenAt; b<epoch second> -> admissions handed out in it
  ARGV[1] now                         epoch ms, taken after the clicks were decided
  ARGV[2] seconds                     of their admissions, separated by spaces, at most 200
  ARGV[3] remaining                   units in the stock after the last of them, empty when nobody was told

  Reply {code}
    1 redeemed
   10 unknown        nobody has told how many there may be: nothing to redeem

  An admission leaves its bucket at the moment at which the units it took are in booked: never before, or both would be
  missing from the sum that is bounded. What was left tells how many units are booked; seen keeps that for replenish.lua,
  which may come with an older count. Of several that come in any order within two seconds the largest counts.

  To be called once for each click. Who was not told of here settles by itself, see replenish.lua.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'seen', 'seenAt')
local total, now = tonumber(stored[1]), tonumber(ARGV[1])
if not total then return {10} end

if ARGV[3] ~= '' and total ~= -1 then
  local seen, at = total - ARGV[3], now
  if stored[4] and now - stored[4] < 2000 then
    seen, at = math.max(seen, tonumber(stored[3])), math.max(at, tonumber(stored[4]))
  end
  redis.call('HSET', KEYS[1], 'seen', string.format('%d', seen), 'seenAt', string.format('%d', at),
    'booked', string.format('%d', math.max(seen, tonumber(stored[2]))))
end

local counts = {}
for second in string.gmatch(ARGV[2], '%d+') do counts[second] = (counts[second] or 0) + 1 end
local redeemed = 0
for second, count in pairs(counts) do
  local bucket = 'b' .. second
  count = math.min(count, tonumber(redis.call('HGET', KEYS[1], bucket) or '0'))
  if count > 0 then
    redis.call('HINCRBY', KEYS[1], bucket, -count)
    redeemed = redeemed + count
  end
end
if redeemed > 0 then redis.call('HINCRBY', KEYS[1], 'out', -redeemed) end
return {1}
