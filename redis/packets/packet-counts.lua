#!lua flags=allow-key-locking
--[[
  packet-counts: count what the keys of a sale of red packets hold at one moment.

  KEYS[1] stock:{<sale>:0}            hash   total, loaded, heldBack, stockRevision
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`

  Reply {code, total, loaded, waiting, claims, heldBack, stockRevision}
    1 counted         units of the sale, packets that were loaded, packets that wait for a shopper,
                      shoppers with one, packets that are held back, and the revision of the stock
   10 unknown-sale    the stock is missing; no counts
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'loaded', 'heldBack', 'stockRevision')
if not stock[1] then return {10} end
local waiting, claims = redis.call('LLEN', KEYS[2]), redis.call('HLEN', KEYS[3])
local total, loaded, heldBack = tonumber(stock[1]), tonumber(stock[2] or '0'), tonumber(stock[3] or '0')
return {1, total, loaded, waiting, claims, heldBack, tonumber(stock[4])}
