#!lua flags=allow-key-locking
--[[
  retire-packets: remove the unclaimed packets of a sale that is over.

  KEYS[1] stock:{<sale>:0}            hash   total, flag, frozen, closesAt, followed; loaded, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[4] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back
  ARGV[1] now                         epoch ms

  Reply {code}
    1 retired
    3 open            packets may still be claimed, or another window follows: nothing changed
   10 unknown-sale    the stock is missing

  Afterwards as many packets count as loaded as were claimed, so that the counts agree. A
  frozen stock counts as open.
]]
local total, flag, frozen, closesAt, followed =
  unpack(redis.call('HMGET', KEYS[1], 'total', 'flag', 'frozen', 'closesAt', 'followed'))
if not total then return {10} end
local isOver = tonumber(ARGV[1]) >= tonumber(closesAt) and followed ~= '1'
if frozen or not (flag == 'closed' or isOver) then return {3} end
redis.call('UNLINK', KEYS[2], KEYS[4])
redis.call('HSET', KEYS[1], 'loaded', redis.call('HLEN', KEYS[3]), 'heldBack', '0')
return {1}
