#!lua flags=allow-key-locking
--[[
  retire-packets: remove the unclaimed packets of a sale that is over.

  KEYS[1] stock:{<sale>:0}            hash   total, booked, heldBack, flag, frozen, closesAt, hasNext; loaded
  KEYS[2] stock:{<sale>:0}:packets    list   red packets as JSON, the next one last
  KEYS[3] stock:{<sale>:0}:held       hash   number -> held-back packet as JSON
  ARGV[1] now                         epoch ms

  Reply {code}
    1 retired
    3 open            packets may still be claimed, or another window follows: nothing changed
   10 unknown-sale    the stock is missing

  Afterwards only packets of orders count as loaded, so that the counts agree. A frozen stock counts as open.
]]
local total, booked, heldBack, flag, frozen, closesAt, hasNext =
  unpack(redis.call('HMGET', KEYS[1], 'total', 'booked', 'heldBack', 'flag', 'frozen', 'closesAt', 'hasNext'))
if not total then return {10} end
local isOver = tonumber(ARGV[1]) >= tonumber(closesAt) and hasNext ~= '1'
if frozen or not (flag == 'closed' or isOver) then return {3} end
redis.call('UNLINK', KEYS[2], KEYS[3])
booked = booked - (heldBack or 0)
redis.call('HSET', KEYS[1], 'booked', booked, 'heldBack', '0', 'loaded', booked)
return {1}
