"""Stores behind the ports: SQL ledger, Chroma index, in-memory twins, publisher. No rule may live here.

Import the module that you need (`hermes_core.stores.sql`, `.chroma`, `.in_memory`, `.publisher`): importing this
package touches no driver, disk or network.
"""
