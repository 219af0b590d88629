# Includes the toolchain file of whichever Emscripten is on PATH: Debian's package or an activated emsdk.
if(NOT GLASS_EMSCRIPTEN_ROOT)
  find_program(EM_CONFIG em-config HINTS $ENV{EMSDK}/upstream/emscripten $ENV{EMSCRIPTEN} NO_CMAKE_FIND_ROOT_PATH)
  if(NOT EM_CONFIG)
    message(FATAL_ERROR "em-config not found: install the package emscripten, or activate an emsdk (source emsdk_env.sh).")
  endif()
  execute_process(COMMAND ${EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE GLASS_EMSCRIPTEN_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(GLASS_EMSCRIPTEN_ROOT "${GLASS_EMSCRIPTEN_ROOT}" CACHE PATH "Folder of emcc")
endif()
include(${GLASS_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
