#!lua flags=allow-key-locking
--[[
  restore-claims: restore claims from the table that Redis lost.

  KEYS[1] stock:{<sale>:0}            hash   total, frozen, heldBack
  KEYS[2] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[3] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back
  ARGV[1] claims                      at most 200 [shopper id, number, `<number> <amount> <currency>
                                      <claimed at>`], as JSON

  Reply {code, restored, refused}
    1 restored        how many claims were missing and are there now, and how many have a packet
                      that is not held back
   10 unknown-sale    the stock is missing; no counts

  A frozen sale takes every claim of a shopper without one. In an open sale a claim takes its packet
  out of those that are held back, so the packet cannot be handed out as well. A packet that is
  neither the shopper's nor held back is refused: only a recovery can say who has it.

  The table has the last word. A shopper who was handed a second packet before the first claim
  arrived keeps the first one, and the second packet is held back in its place.

  A restored claim has the rank 0 and a hyphen for its request id: neither is read again.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'frozen')
if not stock[1] then return {10} end
local isFrozen = stock[2]
local restored, refused, taken = 0, 0, 0
for _, line in ipairs(cjson.decode(ARGV[1])) do
  local shopper, number, claim = line[1], line[2], line[3]
  local mine = redis.call('HGET', KEYS[2], shopper)
  local present = mine and string.match(mine, '^%d+ (%d+)')
  local isHeld = redis.call('GETBIT', KEYS[3], number) == 1
  if isFrozen and not mine or isHeld then
    if isHeld then redis.call('SETBIT', KEYS[3], number, 0) end
    if present then redis.call('SETBIT', KEYS[3], present, 1) end
    if isHeld and not present then taken = taken + 1 end
    redis.call('HSET', KEYS[2], shopper, '0 ' .. claim .. ' -')
    restored = restored + 1
  elseif present ~= number then
    refused = refused + 1
  end
end
if taken > 0 then redis.call('HINCRBY', KEYS[1], 'heldBack', -taken) end
return {1, restored, refused}
