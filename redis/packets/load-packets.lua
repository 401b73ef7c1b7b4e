#!lua flags=allow-key-locking
--[[
  load-packets: load the next packets of a sale, once.

  KEYS[1] stock:{<sale>:0}            hash   total, frozen, moves, loaded
  KEYS[2] stock:{<sale>:0}:packets    list   red packets as JSON, the next one last
  KEYS[3] stock:{<sale>:0}:held       hash   number -> held-back packet as JSON
  ARGV[1] from                        number of the first packet of this chunk
  ARGV[2] to                          number after the last one
  ARGV[3] packets                     that can be claimed, in order: a list of JSON texts, as JSON
  ARGV[4] held back                   packets that lost claims may have, in the same format
  ARGV[5] moves                       of the frozen stock when its orders were read; empty if it is not frozen

  Reply {code, loaded}
    1 loaded          the number of packets loaded so far
    2 repeat          the chunk was loaded before: nothing changed
    3 gap             packets before it are missing: nothing changed
    4 not-now         the stock is frozen and the call is no recovery, or the reverse: nothing changed
    5 moved           units were released or restored since the orders were read: nothing changed
   10 unknown-sale    the stock is missing; no number

  loaded is the progress of loading, so a repeated or late chunk counts once. Packets of orders are omitted and
  count as loaded. The first chunk of a recovery starts loading again. Chunks are small, because Redis serves no
  other client meanwhile.
]]
local total, frozen, moves, loaded = unpack(redis.call('HMGET', KEYS[1], 'total', 'frozen', 'moves', 'loaded'))
if not total then return {10} end
local from, to = tonumber(ARGV[1]), tonumber(ARGV[2])
loaded = tonumber(loaded or '0')
if (frozen ~= false) ~= (ARGV[5] ~= '') then return {4, loaded} end
if frozen and moves ~= ARGV[5] then return {5, loaded} end
if frozen and from == 0 then
  redis.call('UNLINK', KEYS[2], KEYS[3])
  loaded = 0
end
if to <= loaded then return {2, loaded} end
if from ~= loaded then return {3, loaded} end

local packets, held = cjson.decode(ARGV[3]), {}
if #packets > 0 then redis.call('LPUSH', KEYS[2], unpack(packets)) end
for _, text in ipairs(cjson.decode(ARGV[4])) do
  held[#held + 1] = string.format('%.0f', cjson.decode(text).number)
  held[#held + 1] = text
end
if #held > 0 then redis.call('HSET', KEYS[3], unpack(held)) end
redis.call('HSET', KEYS[1], 'loaded', ARGV[2])
return {1, to}
