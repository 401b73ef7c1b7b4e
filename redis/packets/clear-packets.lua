#!lua flags=allow-key-locking
--[[
  clear-packets: remove all packets and claims of a frozen sale, so that both can be loaded again.

  KEYS[1] stock:{<sale>:0}            hash   total, frozen; loaded, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[4] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back

  Reply {code}
    1 cleared
    3 open            the stock is not frozen: claims could be lost
   10 unknown-sale    the stock is missing

  The outbox stays: a message there may exist nowhere else. UNLINK frees a long list in the
  background.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'frozen')
if not stock[1] then return {10} end
if not stock[2] then return {3} end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], 'loaded', '0', 'heldBack', '0')
return {1}
