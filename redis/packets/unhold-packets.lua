#!lua flags=allow-key-locking
--[[
  unhold-packets: put packets that were held back into the list, for claims of which can no longer arrive.

  KEYS[1] stock:{<sale>:0}            hash   total, frozen, stockRevision, heldSince,
                                             heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[4] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back
  ARGV[1] held since                  epoch ms, of the reopening that held them back
  ARGV[2] most booked                 packets ever claimed and held back at the same time, as the
                                      gate's store knows it
  ARGV[3] packets                     at most 1,000 `<number> <amount> <currency>` in their order,
                                      separated by commas

  Reply {code, packets, stockRevision}
    1 unheld          how many packets can be claimed from here on, and the revision of the stock
    2 superseded      the stock was unfrozen again since, or is frozen: nothing changed
    3 moved           more are claimed and held back than the gate's store knows: nothing changed
   10 unknown-sale    the stock is missing

  Each packet leaves the bits of the held ones as it enters the list, so a call that comes twice, or
  late, adds none twice. They are claimed before the packets that wait already. So their ranks
  follow from what is claimed and held back now, and the ranks of those behind them stay true.

  What is claimed and held back falls with this, though packets of higher numbers have been handed
  out. Should Redis be lost again, only the gate's store knows how many that were, so it must know
  before.

  Packets that come to an empty list are a restock, as in release-held-back.lua.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'frozen', 'stockRevision', 'heldSince', 'heldBack')
if not stock[1] then return {10} end
if stock[4] ~= ARGV[1] or stock[2] then return {2} end
local stockRevision, heldBack = tonumber(stock[3]), tonumber(stock[5])
local taken = redis.call('HLEN', KEYS[3]) + heldBack
if taken > tonumber(ARGV[2]) then return {3} end
local isEmpty = redis.call('LLEN', KEYS[2]) == 0

local packets = {}
for packet, number in string.gmatch(ARGV[3], '((%d+) %d+ %u+)') do
  if redis.call('GETBIT', KEYS[4], number) == 1 then
    redis.call('SETBIT', KEYS[4], number, 0)
    packets[#packets + 1] = packet
  end
end
local count = #packets
if count == 0 then return {1, 0, stockRevision} end
local last = {}
for at = count, 1, -1 do last[#last + 1] = string.format('%d %s', taken - count + at, packets[at]) end
redis.call('RPUSH', KEYS[2], unpack(last))
redis.call('HINCRBY', KEYS[1], 'heldBack', -count)
if isEmpty then stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1) end
return {1, count, stockRevision}
