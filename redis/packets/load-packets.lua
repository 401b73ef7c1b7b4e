#!lua flags=allow-key-locking
--[[
  load-packets: load the next packets of a sale, once.

  KEYS[1] stock:{<sale>:0}            hash   total, frozen, loaded, heldBack
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:held       string bit <number> is 1 while that packet is held back
  ARGV[1] from                        index of the first packet of this chunk, among those of the shard
  ARGV[2] to                          index behind the last one
  ARGV[3] packets                     of the chunk that can be claimed, in their order, separated by
                                      commas
  ARGV[4] rebuilding                  1 while the sale is rebuilt, 0 otherwise
  ARGV[5] held back                   numbers of the chunk that a lost claim may have, separated by
                                      commas

  Reply {code, loaded}
    1 loaded          the number of packets loaded so far
    2 repeat          the chunk was loaded already: nothing changed
    3 gap             packets before it are missing: nothing changed
    4 not-now         the stock is frozen and this is no recovery, or the reverse: nothing changed
   10 unknown-sale    the stock is missing; no number

  loaded says how far the loading has come, so a repeated or late chunk counts once. Claimed and
  held-back numbers are left out of the list and counted as loaded. Only a recovery knows which
  those are, so nothing else loads into a frozen sale. Chunks are small, because Redis serves no
  other client while one is loaded.
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'frozen', 'loaded')
if not stock[1] then return {10} end
local loaded, from, to = tonumber(stock[3] or '0'), tonumber(ARGV[1]), tonumber(ARGV[2])
local isFrozen = stock[2] ~= false
if isFrozen ~= (ARGV[4] == '1') then return {4, loaded} end
if to <= loaded then return {2, loaded} end
if from ~= loaded then return {3, loaded} end

local packets, most = {}, 1000
for packet in string.gmatch(ARGV[3], '[^,]+') do
  packets[#packets + 1] = packet
  if #packets == most then
    redis.call('LPUSH', KEYS[2], unpack(packets))
    packets = {}
  end
end
if #packets > 0 then redis.call('LPUSH', KEYS[2], unpack(packets)) end
local heldBack = 0
for number in string.gmatch(ARGV[5], '%d+') do
  redis.call('SETBIT', KEYS[3], number, 1)
  heldBack = heldBack + 1
end
if heldBack > 0 then redis.call('HINCRBY', KEYS[1], 'heldBack', heldBack) end
redis.call('HSET', KEYS[1], 'loaded', ARGV[2])
return {1, to}
