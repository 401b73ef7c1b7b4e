#!lua flags=allow-key-locking
--[[
  replenish: tell the gate how many units a sale has and how many of them are booked, and settle old admissions.

  KEYS[1] gate:{<sale>}:admissions    hash   total, ratio, booked, asOf, out, seen, seenAt; b<epoch second> -> admissions handed out in it
  ARGV[1] as of                       epoch ms, taken before the units were counted
  ARGV[2] total                       units, -1 for an unlimited stock
  ARGV[3] booked                      units
  ARGV[4] ratio                       admissions per unit in thousandths; empty keeps the one that is there
  ARGV[5] settled                     epoch ms; admissions handed out by then have become units or never will

  Reply {code}
    1 replenished
    2 superseded                      newer news is there: nothing changed

  Units booked before `as of` are in booked, so an admission that was settled by then needs its place no longer: either it
  is among those units or it has come to nothing, and its place is free for somebody else. For the same reason older news
  must not overwrite newer: it knows nothing of units whose admissions are gone already. Nor may a count that is older than
  what redeem.lua saw be lower than that, give or take a second for clocks that differ.

  Without a ratio nothing can be handed out. A hash that was lost has also forgotten what is out, so for some seconds more
  may be let through than there should be, and never more sold than there is: the stock decides that.
]]
local stored = redis.call('HMGET', KEYS[1], 'asOf', 'seen', 'seenAt')
if stored[1] and tonumber(ARGV[1]) < tonumber(stored[1]) then return {2} end

local out = 0
local fields = redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  local second = string.match(fields[at], '^b(%d+)$')
  if second and (second + 1) * 1000 <= tonumber(ARGV[5]) then
    redis.call('HDEL', KEYS[1], fields[at])
  elseif second then
    out = out + fields[at + 1]
  end
end
local booked = tonumber(ARGV[3])
if stored[3] and stored[3] - ARGV[1] > -1000 then booked = math.max(booked, tonumber(stored[2])) end
redis.call('HSET', KEYS[1], 'asOf', ARGV[1], 'total', ARGV[2], 'booked', string.format('%d', booked),
  'out', string.format('%d', out))
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'ratio', ARGV[4]) end
return {1}
