#!lua flags=allow-key-locking
--[[
  complete-admissions: tell the gate that clicks which it let through were decided, so that it need not wait until they must have been.

  KEYS[1] gate:{<sale>}:admissions    hash   total, booked, mostBooked, revision, out; b<epoch second> -> admissions handed out in it; s<revision>.<epoch second> -> most units seen booked in it
  ARGV[1] now                         epoch ms, taken after the clicks were decided
  ARGV[2] seconds                     of their admissions, separated by spaces, at most 200
  ARGV[3] booked                      units, as the latest of them left the stock; empty when none of them told
  ARGV[4] stockRevision                    revision of the stock that was so; empty likewise

  Reply {code}
    1 completed
   10 unknown        nobody has told how many there may be: nothing to completeAdmissions

  An admission leaves its bucket at the moment at which the units it took are in booked: never before, or both would be
  missing from the sum that is bounded. What was seen is kept by seconds for replenish.lua, which may come with a count
  from before.

  revision is that of the stock that booked was true of. Units that come back to a stock with nothing left, and units
  that are added, make a new one: it has everything in it that was booked before, and less of it. So a later revision
  replaces booked, of the same one the largest counts, and an earlier one has nothing new to say.

  To be called once for each click. Who was not told of here settles by itself, see replenish.lua.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'revision', 'mostBooked')
local total, booked, revision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end

local seen, seenIn = tonumber(ARGV[3]), tonumber(ARGV[4])
if seen and total ~= -1 then
  local word = string.format('s%d.%d', seenIn, math.floor(ARGV[1] / 1000))
  if seen > tonumber(redis.call('HGET', KEYS[1], word) or '-1') then redis.call('HSET', KEYS[1], word, ARGV[3]) end
  if seenIn > revision or seenIn == revision and seen > booked then
    redis.call('HSET', KEYS[1], 'booked', ARGV[3], 'revision', ARGV[4])
  end
  if seen > tonumber(stored[4] or '0') then redis.call('HSET', KEYS[1], 'mostBooked', ARGV[3]) end
end

local counts = {}
for second in string.gmatch(ARGV[2], '%d+') do counts[second] = (counts[second] or 0) + 1 end
local completed = 0
for second, count in pairs(counts) do
  local bucket = 'b' .. second
  count = math.min(count, tonumber(redis.call('HGET', KEYS[1], bucket) or '0'))
  if count > 0 then
    redis.call('HINCRBY', KEYS[1], bucket, -count)
    completed = completed + count
  end
end
if completed > 0 then redis.call('HINCRBY', KEYS[1], 'out', -completed) end
return {1}
