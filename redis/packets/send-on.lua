#!lua flags=allow-key-locking
--[[
  send-on: record in one shard of a split stock that shoppers have their packets in other shards.

  KEYS[1] stock:{<sale>:0}            hash   total, heldBack, heldSince; ><shopper id> -> the last hop with
                                             which the shopper was sent on
  KEYS[2] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[3] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back
  ARGV[1] shoppers                    at most 200 lines `<shopper id> <hop>`

  Reply {code}
    1 recorded
   10 unknown-sale    the stock is missing: its recovery records them

  The hop is later than any of a walk, and leads to the shard that has the packet. The table has the
  last word: a claim that the shopper has here as well is removed, and its packet is held back as in
  restore-claims.lua. A stock that never held packets back gets the time 0 for them.
]]
if redis.call('HEXISTS', KEYS[1], 'total') == 0 then return {10} end
for shopper, hop in string.gmatch(ARGV[1], '(%S+) (%d+)') do
  redis.call('HSET', KEYS[1], '>' .. shopper, hop)
  local mine = redis.call('HGET', KEYS[2], shopper)
  if mine then
    redis.call('SETBIT', KEYS[3], string.match(mine, '^%d+ (%d+)'), 1)
    redis.call('HDEL', KEYS[2], shopper)
    redis.call('HINCRBY', KEYS[1], 'heldBack', 1)
    redis.call('HSETNX', KEYS[1], 'heldSince', '000000000000000')
  end
end
return {1}
