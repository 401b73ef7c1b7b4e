#!lua flags=allow-key-locking
--[[
  packet-counts: count what the keys of a sale of red packets hold at one moment.

  KEYS[1] stock:{<sale>:0}            hash   total, booked, stockRevision, heldBack, loaded
  KEYS[2] stock:{<sale>:0}:packets    list   red packets as JSON, the next one last

  Reply {code, total, booked, stockRevision, heldBack, loaded, waiting}
    1 counted         total units, units of orders or held back, the revision of the stock, held-back units,
                      loaded packets, and packets that can be claimed
   10 unknown-sale    the stock is missing; no counts
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'heldBack', 'loaded')
if not stock[1] then return {10} end
return {1, stock[1], stock[2], stock[3], stock[4] or '0', stock[5] or '0', redis.call('LLEN', KEYS[2])}
