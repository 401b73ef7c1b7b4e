#!lua flags=allow-key-locking
--[[
  clear-packets: take every packet and every claim of a frozen sale off the shelf, so that both can be put there anew.

  KEYS[1] stock:{<sale>:0}            hash   total, packedWindow; loaded, booked, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to be claimed last
  KEYS[3] stock:{<sale>:0}:buyers     hash   shopper id -> `<rank> <number> <amount> <currency> <claimed at> <request id>`
  KEYS[4] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back

  Reply {code}
    1 cleared
    3 open            the stock is not frozen: nobody may be robbed of what he claims now
   10 unknown-sale    no stock on the shelf, not even a frozen one

  The outbox stays: what waits there may be known to nobody else. UNLINK frees a long list without anybody waiting for it.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'packedWindow')
if not stock[1] then return {10} end
if string.sub(stock[2], 32, 38) ~= '!frozen' then return {3} end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], 'loaded', '0', 'booked', '0', 'heldBack', '0')
return {1}
